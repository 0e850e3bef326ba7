import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { fieldsOf } from '../../core/json.ts';

/** Whether servers are defined anywhere that is quick to look at. */
export function hasServers(): boolean {
  const { getConfiguration, workspaceFolders = [] } = vscode.workspace;
  if (Object.keys(fieldsOf(getConfiguration('workspaceMcp').get('servers'))).length > 0) return true;
  return workspaceFolders
    .filter(({ uri }) => uri.scheme === 'file')
    .some(({ uri }) =>
      ['.mcp.json', join('.vscode', 'mcp.json')].some((file) => existsSync(join(uri.fsPath, file))),
    );
}
