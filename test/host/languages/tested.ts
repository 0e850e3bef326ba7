/** What the tests of a server have in common. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { HostAgent } from '../agent.ts';
import type { Project } from './projects.ts';
import type { Server } from './servers.ts';

/** Asks about a folder of the window. */
export interface Asking {
  server: Server;
  directory: string;
  /** A path as the tools take it: with the folder's name where the window has several. */
  at(path: string): string;
  call: HostAgent['call'];
  /** The answer, or the text of the error; asked again while the server says that it is not ready. */
  ask(tool: string, args: Record<string, unknown>): Promise<string>;
}

export interface Tested extends Asking {
  project: Project;
}

/** @param agent of the time of the call */
export function asking(server: Server, directory: string, isAlone: boolean, agent: () => HostAgent): Asking {
  const call: HostAgent['call'] = (name, args) => agent().call(name, args);
  return {
    server,
    directory,
    at: (path) => (isAlone ? path : join(server.language, path)),
    call,
    ask: (tool, args) => askUntilReady(() => call(tool, args)),
  };
}

const NOT_READY = /\b(Try|Ask) again\b/;

/** In milliseconds: a server that has just started may be indexing for half a minute. */
const READY_WITHIN = 45_000;

async function askUntilReady(ask: () => Promise<string>): Promise<string> {
  for (const deadline = Date.now() + READY_WITHIN; ; await delay(1_000)) {
    const answer = await ask().catch(({ message }: Error) => message);
    if (!NOT_READY.test(answer) || Date.now() > deadline) return answer;
  }
}

export const textOf = ({ directory }: Asking, path: string): string =>
  readFileSync(join(directory, path), 'utf8');

/** What is in the files of the project. */
export function filesOf(one: Tested): Map<string, string> {
  const paths = globSync('**/*.*', { cwd: one.directory }).filter((path) => !/^\.|\/\./.test(path));
  return new Map(paths.sort().map((path) => [path, textOf(one, path)]));
}

/** Whatever a test changes goes back, as an agent does it. @param work takes the files of before */
export async function undone(
  one: Tested,
  work: (before: Map<string, string>) => Promise<void>,
): Promise<void> {
  const before = filesOf(one);
  const isChanged = () => !isDeepStrictEqual(filesOf(one), before);
  try {
    await work(before);
  } finally {
    if (isChanged()) await one.call('undo_edit');
  }
  assert.deepEqual(filesOf(one), before);
}
