import type { Domain } from '../features.ts';
import { executeCommand } from './executeCommand.ts';
import { getSettings } from './getSettings.ts';
import { listCommands } from './listCommands.ts';

/** VS Code's own commands and settings. */
export const vscode: Domain = { tools: [listCommands, executeCommand, getSettings] };
