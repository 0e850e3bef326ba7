import type { Domain } from '../features.ts';
import { getWorkspace } from './getWorkspace.ts';
import { selectWindow } from './selectWindow.ts';

export const windows: Domain = { tools: [getWorkspace, selectWindow] };
