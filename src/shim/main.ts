/** The process that an agent starts: finds the VS Code window for its working directory and relays to it. */
import { realpathSync } from 'node:fs';
import { readRecords, stateDirectory, WINDOW_VARIABLE } from '../socket/windowRecord.ts';
import { HELP, readArguments } from './arguments.ts';
import type { WindowQuery } from './chooseWindow.ts';
import { type Connection, connect } from './connect.ts';
import { answerWithError } from './noWindow.ts';
import { isSystemDirectory } from './paths.ts';
import { type Agent, relay } from './relay.ts';

/** Version of the package; esbuild puts it in. */
declare const __VERSION__: string;

/** How long an agent that has found no window may go on asking, in milliseconds. */
const PATIENCE = 2_000;

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

function say(text: string): void {
  // Nobody reading stderr is no reason to end. Here and not at the start: making the stream takes half a millisecond.
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
  process.stderr.write(`workspace-mcp: ${text}\n`);
}

/** Resolves to the exit code. */
async function main(): Promise<number> {
  const command = readArguments(process.argv.slice(2));
  if (command.kind === 'serve') return serve(command.windowId);
  if (command.kind === 'wrong') say(`${command.problem}\n${HELP}`);
  else process.stdout.write(command.kind === 'help' ? HELP : `${__VERSION__}\n`);
  return command.kind === 'wrong' ? 2 : 0;
}

async function serve(windowId: string | undefined): Promise<number> {
  const records = readRecords(stateDirectory());
  const connecting = connect(records, query(windowId), { cwd: process.cwd(), version: __VERSION__ });
  // The first use of the streams makes them, which takes as long as the window takes to answer.
  const agent: Agent = { input: process.stdin, output: process.stdout };
  let connection: Connection;
  try {
    connection = await connecting;
  } catch (error) {
    return withoutWindow(agent, (error as Error).message);
  }
  const ending = await relay(agent, connection.socket, say);
  return ending === 'answered everything' || ending === 'agent gone' ? 0 : 1;
}

async function withoutWindow(agent: Agent, message: string): Promise<number> {
  say(message);
  if (!process.stdin.isTTY) await answerWithError(agent, message, PATIENCE);
  return 1;
}

function query(windowId: string | undefined): WindowQuery {
  const { env, platform } = process;
  const cwd = process.cwd();
  const terminalWindowId = env[WINDOW_VARIABLE];
  return {
    cwd,
    platform,
    isSystemDirectory: isSystemDirectory(cwd, platform, env),
    realpath,
    ...(windowId !== undefined && { windowId }),
    ...(terminalWindowId !== undefined && { terminalWindowId }),
  };
}

function realpath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Exits once all that was written to stdout has gone; at once when nobody reads it any more. */
function exit(code: number): void {
  process.stdout.on('error', () => {});
  process.stdout.write('', () => process.exit(code));
}

for (const [signal, number] of Object.entries(SIGNALS)) {
  // Said out loud because the first process of a container ignores a signal that it does not handle.
  process.on(signal, () => process.exit(128 + number));
}
main().then(exit, (error: Error) => {
  say(error.stack ?? String(error));
  exit(1);
});
