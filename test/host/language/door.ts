/** VS Code's own client of language servers, whose server is `shim.js lsp`; its documents are the workspace's files by another scheme. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { LanguageClient, type Middleware } from 'vscode-languageclient/node';
import { until } from '../agent.ts';
import { projectRoot } from '../paths.ts';

/** TypeScript's own extension leaves it alone, so what answers is the client, and what the server asks is never the client. */
const DOOR = 'vsls';
export const doorOf = (uri: vscode.Uri): vscode.Uri => uri.with({ scheme: DOOR });
const fileOf = (uri: vscode.Uri) => (uri.scheme === DOOR ? uri.with({ scheme: 'file' }) : uri);

/** Symbols of the workspace have no document: what is searched for says whose answer is wanted. */
const BY_DOOR = 'door:';

const refuse = (): never => {
  throw vscode.FileSystemError.NoPermissions();
};
const files: vscode.FileSystemProvider = {
  onDidChangeFile: new vscode.EventEmitter<vscode.FileChangeEvent[]>().event,
  watch: () => new vscode.Disposable(() => {}),
  stat: (uri) => vscode.workspace.fs.stat(fileOf(uri)),
  readDirectory: (uri) => vscode.workspace.fs.readDirectory(fileOf(uri)),
  readFile: (uri) => vscode.workspace.fs.readFile(fileOf(uri)),
  writeFile: (uri, content) => vscode.workspace.fs.writeFile(fileOf(uri), content),
  createDirectory: refuse,
  delete: refuse,
  rename: refuse,
};

export interface Door {
  client: LanguageClient;
  /** The methods that the server has registered. */
  registered: ReadonlySet<string>;
  /** What the workspace's symbols are searched for, by the client alone. */
  query(name: string): string;
}

/** A client of the suite. @param cwd what its window is chosen by */
export function doorOfSuite(cwd: string): Door {
  const registered = new Set<string>();
  const middleware: Middleware = {
    async handleRegisterCapability({ registrations }, next) {
      for (const { registerOptions } of registrations)
        for (const filter of registerOptions?.documentSelector ?? []) filter.scheme = DOOR;
      await next({ registrations }, new vscode.CancellationTokenSource().token);
      for (const { method } of registrations) registered.add(method);
    },
    provideWorkspaceSymbols: (query, token, next) =>
      query.startsWith(BY_DOOR) ? next(query.slice(BY_DOOR.length), token) : [],
  };
  const client = new LanguageClient(
    'door',
    {
      command: process.execPath,
      args: [join(projectRoot, 'dist/shim.js'), 'lsp'],
      options: { cwd, env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } }, // as `connectAgent`
    },
    {
      documentSelector: [{ scheme: DOOR }],
      middleware,
      uriConverters: {
        code2Protocol: (uri) => fileOf(uri).toString(),
        protocol2Code: (text) => doorOf(vscode.Uri.parse(text)),
      },
    },
  );
  let scheme: vscode.Disposable;
  before(async () => {
    scheme = vscode.workspace.registerFileSystemProvider(DOOR, files, { isCaseSensitive: true });
    await client.start();
    await until('what the server registers', () => registered.size > 0 || undefined);
  });
  after(async () => {
    await client.stop();
    scheme.dispose();
  });
  return { client, registered, query: (name) => BY_DOOR + name };
}
