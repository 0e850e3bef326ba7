/**
 * What a client that speaks LSP starts: `shim.js lsp`. It answers by the language servers of the window that has the client's folder
 * open, with the window's text, and changes nothing there.
 */
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { attempt } from '../../core/errors.ts';
import { HELP, readArguments } from '../commandLine.ts';
import type { RelayOptions } from '../relay/relay.ts';
import type { NamedWindow } from '../window/windowQuery.ts';
import { type Greeting, LanguageServer, type Window } from './server.ts';
import { WindowClient } from './windowClient.ts';

/** Version of the package, inserted by esbuild. */
declare const __VERSION__: string;

/** Until the client ends it. */
export function run(): void {
  // V8 would keep 16 MB more for new objects once a client has asked a lot.
  setFlagsFromString('--semi-space-growth-factor=1');
  // VS Code's client adds these to what it starts.
  const words = process.argv.slice(3).filter((word) => !/^--(stdio$|clientProcessId=)/.test(word));
  // Few clients tell their name, so their configurations do.
  const name = words[0]?.startsWith('-') === false ? words.shift() : undefined;
  const command = readArguments(words);
  if (command.kind !== 'serve') {
    const isWrong = command.kind === 'wrong';
    if (isWrong) process.stderr.write(`workspace-mcp: ${command.problem}\n${HELP}`);
    else process.stdout.write(command.kind === 'version' ? `${__VERSION__}\n` : HELP);
    process.exitCode = isWrong ? 2 : 0;
    return;
  }
  const connection = createMessageConnection(
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(process.stdout),
  );
  const server = new LanguageServer(connection, __VERSION__, (client, onChange) =>
    enter(command, { ...client, name: client.name ?? name ?? 'a language client' }, onChange, say),
  );
  const say = (text: string) => server.log(text);
  let isShutDown = false;
  connection.onRequest('shutdown', () => {
    isShutDown = true;
    return null;
  });
  connection.onNotification('exit', () => process.exit(isShutDown ? 0 : 1));
  connection.onClose(() => process.exit(isShutDown ? 0 : 1));
  process.stdout.on('error', () => process.exit(1));
  connection.listen();
}

function enter(
  named: NamedWindow,
  client: Greeting & { name: string },
  onChange: () => void,
  say: (text: string) => void,
): Window {
  const [first] = client.folders();
  const cwd = attempt(() => fileURLToPath(first ?? '')) ?? process.cwd();
  const window = new WindowClient(client, onChange);
  const relay = async (agent: RelayOptions['agent']) =>
    (await import('../main.ts')).relayFor({ agent, say }, named, cwd);
  void window.run(relay);
  return window;
}
