import type { Domain } from '../features.ts';
import { getSettings } from './getSettings.ts';
import { executeCommand, listCommands } from './listCommands.ts';

export const vscode: Domain = { tools: [listCommands, executeCommand, getSettings] };
