/**
 * What a hook of an agent runs: `shim.js hook AGENT EVENT`, with JSON on stdin. It asks the window that has the directory open, and
 * prints what that answers. Whatever goes wrong, it prints nothing and exits with 0: no agent fails or waits because of it. It
 * logs nothing, because the JSON has prompts and texts.
 */
import { type Socket, Socket as Stream } from 'node:net';
import { attempt } from '../core/errors.ts';
import type { HookEvent } from '../core/hooks/event.ts';
import { hookEventOf } from '../core/hooks/hookEvent.ts';
import { HOOK_METHOD, HOOK_WAITS } from '../core/hooks/hookPrograms.ts';
import { fieldsOf, parsedJson } from '../core/json.ts';
import { MAX_LINE } from '../core/jsonRpc.ts';
import { Splitter } from '../core/text/lines.ts';
import { stateDirectory, trustedRecords } from '../ipc/windowRecord.ts';
import { clock } from '../util/clock.ts';
import { chooseFitting, firstAnswering } from './window/chooseWindow.ts';
import { WindowAttempt } from './window/connect.ts';
import { queryOf } from './window/windowQuery.ts';

/** Version of the package, inserted by esbuild. */
declare const __VERSION__: string;

/** Most milliseconds for the input, which agents write at once. */
const INPUT_WAIT = 2_000;

/** Until the process exits. */
export function run(): void {
  process.on('uncaughtException', leave);
  process.stdout.on('error', leave);
  main().then((answer) => process.stdout.write(answer, leave), leave);
}

/** Claude Code gives its model what a hook that it left running has on stderr, if that ends with this code. */
const WAKES = 2;

const leave = (): never => process.exit();

let stopClock = () => {};

function leaveAfter(ms: number): void {
  stopClock();
  stopClock = clock.after(ms, leave);
}

async function main(): Promise<string> {
  const [agent = '', name = ''] = process.argv.slice(3);
  leaveAfter(INPUT_WAIT);
  const event = hookEventOf(agent, name, await readInput());
  // Without a terminal, Claude Code would not end before this does.
  if (!event || (agent === 'claude-code' && event.moment === 'wait' && !isInTerminal())) return '';
  leaveAfter(HOOK_WAITS[event.moment]);
  const at = Date.now();
  const socket = await enterWindow(event);
  if (!socket) return '';
  if (event.moment === 'permission' || event.moment === 'wait') leaveWithAgent();
  socket.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: HOOK_METHOD, params: { ...event, at } })}\n`,
  );
  const { answer } = fieldsOf(fieldsOf(parsedJson(await lineFrom(socket))).result);
  if (typeof answer !== 'string') return '';
  if (answer === '' || event.moment !== 'wait' || agent === 'opencode') return answer;
  process.exitCode = WAKES;
  await new Promise<void>((resolve) => process.stderr.write(answer, () => resolve()));
  return '';
}

const isInTerminal = (): boolean => process.env.CLAUDE_CODE_ENTRYPOINT === 'cli';

/** The JSON on stdin; undefined if it is none, or too long. */
async function readInput(): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    length += chunk.length;
    if (length > MAX_LINE) return undefined;
    chunks.push(chunk);
  }
  return parsedJson(
    Buffer.concat(chunks)
      .toString()
      .replace(/^\uFEFF/, ''),
  ); // pipes of Windows PowerShell start with that
}

/** The window that has the directory open, or in whose terminal the agent runs: never one that is only the only one. */
async function enterWindow({ cwd }: HookEvent): Promise<Socket | undefined> {
  const { records } = trustedRecords(stateDirectory());
  const query = queryOf({}, { cwd, env: process.env });
  const tiers = chooseFitting(records, query);
  const search = new WindowAttempt({ cwd, version: __VERSION__, purpose: 'hook' });
  const entered = await search.enter((ask) => firstAnswering(tiers, query, ask));
  return entered && 'socket' in entered ? entered.socket : undefined;
}

/** The first line; empty if none comes. */
function lineFrom(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    const lines = new Splitter<string>('\n', MAX_LINE, resolve, () => resolve(''));
    socket.setEncoding('utf8').on('data', (text: string) => lines.push(text));
    socket.on('close', () => resolve(''));
  });
}

/**
 * A question to the user ends when nobody reads the answer: then the window withdraws it. So does what waits for words of the user.
 * Seen on the sockets and named pipes that
 * agents in JavaScript give their processes; a plain pipe tells nothing.
 */
function leaveWithAgent(): void {
  const output = attempt(() => new Stream({ fd: 1, readable: true, writable: false })); // no file
  output?.on('error', () => {}).on('close', (isBroken) => isBroken || leave());
  output?.resume();
}
