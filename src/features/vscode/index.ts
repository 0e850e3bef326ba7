import type { Domain } from '../features.ts';
import { executeCommand } from './executeCommand.ts';
import { getSettings } from './getSettings.ts';
import { listCommands } from './listCommands.ts';

export const vscode: Domain = { tools: [listCommands, executeCommand, getSettings] };
