/** The process that an agent starts: finds the VS Code window for its working directory and relays to it. */
import { allVisibleText } from '../core/text/escapeInvisible.ts';
import { stateDirectory } from '../ipc/windowRecord.ts';
import { type Command, HELP, readArguments, WAIT_VARIABLE } from './commandLine.ts';
import type { Agent } from './relay/agentSide.ts';
import { Relay } from './relay/relay.ts';
import type { Times } from './timeouts.ts';
import { Finder } from './window/finder.ts';
import { queryOf } from './window/windowQuery.ts';

/** Version of the package; esbuild puts it in. */
declare const __VERSION__: string;

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

function say(text: string): void {
  // Nobody reading stderr is no reason to end. Here and not at the start: making the stream takes half a millisecond.
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

async function serve(command: Extract<Command, { kind: 'serve' }>): Promise<number> {
  const cwd = process.cwd();
  const query = queryOf(command, { cwd, env: process.env });
  const finder = new Finder(stateDirectory(), query, { cwd, version: __VERSION__ });
  const looking = finder.look();
  // The first use of the streams makes them, which takes as long as the window takes to answer.
  const agent: Agent = { input: process.stdin, output: process.stdout };
  if (process.stdin.isTTY) {
    // A person who tries it: there is no agent that could wait.
    const found = await looking;
    if (found.kind === 'none') say(found.message);
    if (found.kind === 'none') return 1;
  }
  const ending = await new Relay({ agent, finder, say, times: returnTime(process.env) }).run(looking);
  return ending === 'answered everything' || ending === 'agent gone' ? 0 : 1;
}

async function examine(command: Extract<Command, { kind: 'doctor' }>): Promise<number> {
  const { argv, env } = process;
  const self = { name: 'shim', version: __VERSION__, shim: argv[1] ?? '' };
  // A bundle of its own beside this one: agents, which ask for nothing, need not read it.
  const { runDoctor } = await import('./doctor/doctor.ts');
  const { text, code } = await runDoctor({ self, env, cwd: process.cwd(), named: command });
  process.stdout.write(text);
  return code;
}

/** How long requests wait for a window that has gone, where the person has said it, in seconds. */
function returnTime({ [WAIT_VARIABLE]: seconds }: NodeJS.ProcessEnv): Partial<Times> {
  const given = Number(seconds);
  return seconds && given >= 0 ? { return: given * 1000 } : {};
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
