/** The address of a window: what to open, and for an extension in development, where it and its tests lie. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Server } from './server.ts';

export interface WindowContents {
  /** Folder or `.code-workspace` file; an empty window without one. */
  target: string | undefined;
  extensionDevelopmentPath?: string | string[] | undefined;
  extensionTestsPath?: string | undefined;
}

export function windowUrl(server: Server, contents: WindowContents): string {
  const { target, extensionDevelopmentPath = [], extensionTestsPath } = contents;
  const remote = (path: string) => `vscode-remote://127.0.0.1:${server.port}${resolve(path)}`;
  const payload = [
    ...[extensionDevelopmentPath].flat().map((path) => ['extensionDevelopmentPath', remote(path)]),
    ...(extensionTestsPath ? [['extensionTestsPath', remote(extensionTestsPath)]] : []),
  ];
  const query = new URLSearchParams({ tkn: server.token, payload: JSON.stringify(payload) });
  if (target) query.set(statSync(target).isDirectory() ? 'folder' : 'workspace', resolve(target));
  else query.set('ew', 'true');
  return `http://127.0.0.1:${server.port}/?${query}`;
}
