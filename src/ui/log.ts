import * as vscode from 'vscode';

/** The channel behind "Workspace MCP: Show Log", with the levels that the person sets in VS Code. */
export const createLog = (): vscode.LogOutputChannel =>
  vscode.window.createOutputChannel('Workspace MCP', { log: true });
