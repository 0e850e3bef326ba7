/** The process that an agent starts: finds the VS Code window for its working directory and relays to it. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { stateDirectory, WINDOW_VARIABLE } from '../socket/windowRecord.ts';
import { type Command, HELP, readArguments, WAIT_VARIABLE } from './arguments.ts';
import type { WindowQuery } from './chooseWindow.ts';
import { Finder } from './finder.ts';
import { type Agent, Relay } from './relay.ts';

/** Version of the package; esbuild puts it in. */
declare const __VERSION__: string;

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

function say(text: string): void {
  // Nobody reading stderr is no reason to end. Here and not at the start: making the stream takes half a millisecond.
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
  process.stderr.write(`workspace-mcp: ${text}\n`);
}

/** Resolves to the exit code. */
async function main(): Promise<number> {
  const command = readArguments(process.argv.slice(2));
  if (command.kind === 'serve') return serve(command);
  if (command.kind === 'wrong') say(`${command.problem}\n${HELP}`);
  else process.stdout.write(command.kind === 'help' ? HELP : `${__VERSION__}\n`);
  return command.kind === 'wrong' ? 2 : 0;
}

async function serve({ windowId, workspace }: Extract<Command, { kind: 'serve' }>): Promise<number> {
  const cwd = process.cwd();
  const finder = new Finder(stateDirectory(), query(windowId, workspace), { cwd, version: __VERSION__ });
  const looking = finder.look();
  // The first use of the streams makes them, which takes as long as the window takes to answer.
  const agent: Agent = { input: process.stdin, output: process.stdout };
  if (process.stdin.isTTY) {
    // A person who tries it: there is no agent that could wait.
    const found = await looking;
    if (found.kind === 'none') say(found.message);
    if (found.kind === 'none') return 1;
  }
  const ending = await new Relay({ agent, finder, say, ...returnTime(process.env) }).run(looking);
  return ending === 'answered everything' || ending === 'agent gone' ? 0 : 1;
}

/** How long requests wait for a window that has gone, where the person has said it, in seconds. */
function returnTime({ [WAIT_VARIABLE]: seconds }: NodeJS.ProcessEnv): { returnTime?: number } {
  const given = Number(seconds);
  return seconds && given >= 0 ? { returnTime: given * 1000 } : {};
}

function query(windowId: string | undefined, workspace: string | undefined): WindowQuery {
  const { env, platform } = process;
  const cwd = process.cwd();
  const terminalWindowId = env[WINDOW_VARIABLE];
  return {
    cwd,
    platform,
    realpath,
    ...(windowId !== undefined && { windowId }),
    ...(workspace !== undefined && { workspace: resolve(workspace) }),
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
