import { allVisibleText } from '../core/messages.ts';
import { isWindowId, stateDirectory, WINDOW_VARIABLE } from '../ipc/windowRecord.ts';
import { Relay } from './relay/relay.ts';
import type { Times } from './relay/search.ts';
import { Finder } from './window/finder.ts';
import { type NamedWindow, queryOf } from './window/windowQuery.ts';

/** The process that an agent starts. It finds the VS Code window for the working directory and relays to it. */

/** Version of the package, inserted by esbuild. */
declare const __VERSION__: string;

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

function say(text: string): void {
  // A closed stderr must not end the process. Not at startup, because creating the stream takes 0.5 ms.
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
  process.stderr.write(`workspace-mcp: ${allVisibleText(text)}\n`);
}

/** Resolves to the exit code. */
async function main(): Promise<number> {
  const command = readArguments(process.argv.slice(2));
  if (command.kind === 'serve') return serve(command);
  if (command.kind === 'doctor') return examine(command);
  if (command.kind === 'wrong') say(`${command.problem}\n${HELP}`);
  else process.stdout.write(command.kind === 'help' ? HELP : `${__VERSION__}\n`);
  return command.kind === 'wrong' ? 2 : 0;
}

async function serve(named: NamedWindow): Promise<number> {
  const cwd = process.cwd();
  const query = queryOf(named, { cwd, env: process.env });
  const finder = new Finder(stateDirectory(), query, { cwd, version: __VERSION__ });
  const looking = finder.look();
  // Created on first use, while the window answers: each takes about as long.
  const agent = { input: process.stdin, output: process.stdout };
  if (process.stdin.isTTY) {
    // A user runs it in a terminal: no agent waits.
    const found = await looking;
    if (found.kind === 'none') say(found.message);
    if (found.kind === 'none') return 1;
  }
  const ending = await new Relay({ agent, finder, say, times: returnTime(process.env) }).run(looking);
  return ending === 'answered everything' || ending === 'agent gone' ? 0 : 1;
}

async function examine(named: NamedWindow): Promise<number> {
  const { argv, env } = process;
  const self = { name: 'shim', version: __VERSION__, shim: argv[1] ?? '' };
  // A separate bundle, so that a normal start does not load it.
  const { runDoctor } = await import('./doctor/doctor.ts');
  const { text, code } = await runDoctor({ self, env, cwd: process.cwd(), named });
  process.stdout.write(text);
  return code;
}

/** How long requests wait for a closed window, if the user has set it (the variable is in seconds). */
function returnTime({ [WAIT_VARIABLE]: seconds }: NodeJS.ProcessEnv): Partial<Times> {
  const given = Number(seconds);
  return seconds && given >= 0 ? { return: given * 1000 } : {};
}

/** Exits when stdout is flushed, or at once if it is closed. */
function exit(code: number): void {
  process.stdout.on('error', () => {});
  process.stdout.write('', () => process.exit(code));
}

for (const [signal, number] of Object.entries(SIGNALS)) {
  // Explicit, because PID 1 of a container ignores signals that it does not handle.
  process.on(signal, () => process.exit(128 + number));
}
main().then(exit, (error: Error) => {
  say(error.stack ?? String(error));
  exit(1);
});

export type Command =
  | ({ kind: 'serve' | 'doctor' } & NamedWindow)
  | { kind: 'help' | 'version' }
  | { kind: 'wrong'; problem: string };

/** Environment variable: how long requests wait for a closed window to return, in seconds. */
export const WAIT_VARIABLE = 'WORKSPACE_MCP_WAIT';

export const HELP = `Usage: workspace-mcp [--doctor] [--window ID | --workspace DIR]

Connects an MCP client on stdin and stdout to the VS Code window that has the working directory open.
VS Code needs the Workspace MCP extension.

  --window ID      use only the window with this id
  --workspace DIR  use the window that has DIR open, instead of the working directory
  --doctor         check the setup, and show which window an agent would get and why; exit code 0: a window was
                   found, 1: no window, 2: something is broken
  --version        print the version
  --help           print this text

Without a window the program keeps running, tells the client what to do, and connects when a window opens. If several
windows have the directory open, ${WINDOW_VARIABLE} in the environment selects one; VS Code sets it in its terminals.
When the window closes, requests wait for its return: 30 s, or the number of seconds in ${WAIT_VARIABLE}.
`;

/** Options that take a value. */
const VALUES: Record<string, (value: string) => Command> = {
  '--window': (windowId) =>
    isWindowId(windowId)
      ? { kind: 'serve', windowId }
      : wrong(`"${windowId}" is not a window id: ids are made of a-z, 0-9 and "-".`),
  '--workspace': (workspace) =>
    workspace === '' ? wrong('--workspace needs a directory.') : { kind: 'serve', workspace },
};

export function readArguments(args: string[]): Command {
  const command = readOption(args.filter((arg) => arg !== '--doctor'));
  return command.kind === 'serve' && args.includes('--doctor') ? { ...command, kind: 'doctor' } : command;
}

function readOption(args: string[]): Command {
  const [first, ...rest] = args;
  if (first === undefined) return { kind: 'serve' };
  if (first === '--help') return { kind: 'help' };
  if (first === '--version') return { kind: 'version' };
  const [, name = first, given] = /^(--[a-z]+)=(.*)$/s.exec(first) ?? [];
  const read = Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
  if (!read) return wrong(`Unknown argument "${first}".`);
  const [value, ...more] = given === undefined ? rest : [given, ...rest];
  if (value === undefined)
    return wrong(`${name} needs ${name === '--window' ? 'the id of a window' : 'a directory'}.`);
  return more.length > 0 ? wrong(`Unknown argument "${more[0]}".`) : read(value);
}

const wrong = (problem: string): Command => ({ kind: 'wrong', problem });
