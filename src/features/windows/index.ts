import type { Domain } from '../features.ts';
import { getWorkspace } from './getWorkspace.ts';
import { listWindows } from './listWindows.ts';
import { selectWindow } from './selectWindow.ts';

/** The windows of VS Code. */
export const windows: Domain = { tools: [getWorkspace, listWindows, selectWindow] };
