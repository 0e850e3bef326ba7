/** The address of a window: what to open, and for an extension in development, where it and its tests lie. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Server } from './server.ts';

export interface WindowContents {
  /** Folder or `.code-workspace` file; an empty window without one. */
  target: string | undefined;
  extensionDevelopmentPath?: string | undefined;
  extensionTestsPath?: string | undefined;
  /** Variables of the extension host, over those of the server; null removes one. Only a development server heeds them. */
  environment: Record<string, string | null>;
}

export function windowUrl(server: Pick<Server, 'port' | 'token'>, contents: WindowContents): string {
  const { target, extensionDevelopmentPath, extensionTestsPath, environment } = contents;
  const remote = (path: string) => `vscode-remote://127.0.0.1:${server.port}${resolve(path)}`;
  const payload = [
    ...(extensionDevelopmentPath ? [['extensionDevelopmentPath', remote(extensionDevelopmentPath)]] : []),
    ...(extensionTestsPath ? [['extensionTestsPath', remote(extensionTestsPath)]] : []),
    ['extensionEnvironment', JSON.stringify(environment)],
  ];
  const query = new URLSearchParams({ tkn: server.token, payload: JSON.stringify(payload) });
  if (target) query.set(statSync(target).isDirectory() ? 'folder' : 'workspace', resolve(target));
  else query.set('ew', 'true');
  return `http://127.0.0.1:${server.port}/?${query}`;
}
