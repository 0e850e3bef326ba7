import type { Domain } from '../features.ts';
import { getWorkspace } from './getWorkspace.ts';
import { listWindows, selectWindow } from './listWindows.ts';

export const windows: Domain = { tools: [getWorkspace, listWindows, selectWindow] };
