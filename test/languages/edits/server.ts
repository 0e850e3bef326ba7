import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type { GivenSymbol } from '../../../src/services/language/symbols/tree.ts';

export interface Sources {
  /** The language's id in VS Code. */
  language: string;
  root: string;
  paths: readonly string[];
  /** What the server is started with. */
  options?: object;
}

/** What a language server tells of the symbols of files, over stdio and without VS Code. */
export async function symbolsOf(
  [command, ...args]: readonly [command: string, ...args: string[]],
  { language, root, paths, options }: Sources,
): Promise<Map<string, GivenSymbol[]>> {
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], cwd: root });
  const wire = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  // Settings and registrations that servers ask for: all default.
  wire.onRequest((_method, params) => {
    const { items } = (params ?? {}) as { items?: unknown[] };
    return items ? items.map(() => null) : null;
  });
  wire.listen();
  try {
    const rootUri = `${pathToFileURL(root)}`;
    await wire.sendRequest('initialize', {
      processId: process.pid,
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: 'root' }],
      capabilities: { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } },
      initializationOptions: options,
    });
    await wire.sendNotification('initialized', {});
    const all = new Map<string, GivenSymbol[]>();
    for (const path of paths) {
      const textDocument = { uri: `${pathToFileURL(path)}` };
      const text = readFileSync(path, 'utf8');
      const opened = { ...textDocument, languageId: language, version: 1, text };
      await wire.sendNotification('textDocument/didOpen', { textDocument: opened });
      const found: unknown = await wire.sendRequest('textDocument/documentSymbol', { textDocument });
      all.set(path, asGiven(found ?? []));
      await wire.sendNotification('textDocument/didClose', { textDocument });
    }
    return all;
  } finally {
    wire.dispose();
    server.kill();
  }
}

interface FlatSymbol extends Omit<GivenSymbol, 'range'> {
  range?: GivenSymbol['range'];
  location?: { range: GivenSymbol['range'] };
}

/** With VS Code's kinds, which are one less than those of LSP; flat answers as VS Code takes them. */
const asGiven = (found: unknown): GivenSymbol[] =>
  (found as FlatSymbol[]).flatMap(({ name, kind, range, location, selectionRange, children }) => {
    const whole = range ?? location?.range;
    if (!whole) return [];
    const inner = asGiven(children ?? []);
    return [{ name, kind: kind - 1, range: whole, selectionRange: selectionRange ?? whole, children: inner }];
  });
