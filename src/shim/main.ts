/**
 * The process that an agent starts. It finds the VS Code window for the working directory and relays to it. The extension loads the
 * same bundle for its command that examines the connection, so nothing runs before `run`.
 */
import { LONGEST_ID } from '../core/hooks/hookEvent.ts';
import { allVisibleText } from '../core/text/visible.ts';
import { stateDirectory } from '../ipc/windowRecord.ts';
import { HELP, readArguments, WAIT_VARIABLE } from './commandLine.ts';
import { agentsSection } from './doctor/agents.ts';
import { runDoctor } from './doctor/doctor.ts';
import { type Ending, Relay, type RelayOptions } from './relay/relay.ts';
import type { Times } from './relay/search.ts';
import { Finder } from './window/finder.ts';
import { type NamedWindow, queryOf } from './window/windowQuery.ts';

export { runDoctor };

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
  const finder = new Finder(stateDirectory(), query, {
    cwd,
    version: __VERSION__,
    ...sessionIn(process.env),
  });
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

/** Relays for a client in this process, which speaks MCP on two streams. @param cwd where it works */
export function relayFor(
  { agent, say }: Pick<RelayOptions, 'agent' | 'say'>,
  named: NamedWindow,
  cwd: string,
): Promise<Ending> {
  const { env } = process;
  const finder = new Finder(stateDirectory(), queryOf(named, { cwd, env }), { cwd, version: __VERSION__ });
  return new Relay({ agent, say, finder, times: returnTime(env) }).run(finder.look());
}

async function examine(named: NamedWindow): Promise<number> {
  const { argv, env } = process;
  const self = { name: 'shim', version: __VERSION__, shim: argv[1] ?? '' };
  const { text, code } = await runDoctor({ self, env, cwd: process.cwd(), named, last: agentsSection });
  process.stdout.write(text);
  return code;
}

/** The agent's id of its session, from those that tell it: its hooks name the session by it. */
function sessionIn(env: NodeJS.ProcessEnv): { session?: string } {
  const names = ['CLAUDE_CODE_SESSION_ID', 'COPILOT_AGENT_SESSION_ID', 'QWEN_CODE_SESSION_ID'];
  const session = names.map((name) => env[name]).find((id) => id && id.length <= LONGEST_ID);
  return session ? { session } : {};
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

/** Until the process exits. */
export function run(): void {
  for (const [signal, number] of Object.entries(SIGNALS)) {
    // Explicit, because PID 1 of a container ignores signals that it does not handle.
    process.on(signal, () => process.exit(128 + number));
  }
  main().then(exit, (error: Error) => {
    say(error.stack ?? String(error));
    exit(1);
  });
}
