/** Cold starts: from starting the process until `initialize` is answered, and the memory that it then has. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { projectNode, projectRoot } from '../host/paths.ts';
import { findProgram, pathDirectories } from '../host/programs.ts';
import { Client, type Program } from './client.ts';
import { type BySide, interleaved, type WindowSide } from './samples.ts';
import type { BenchWindow } from './window.ts';

export interface StartUp {
  /** The version of Node, "24" for instance. */
  node: string;
  /** Milliseconds. */
  time: BySide;
  /** MiB. */
  memory: BySide;
}

const ROUNDS = 30;

/** On the project's Node, and on the machine's where that is another one. */
export async function measureStartUp(window: BenchWindow): Promise<StartUp[]> {
  const results: StartUp[] = [];
  for (const [node, path] of nodes()) {
    const memory = { ours: [], floor: [], peer: [] } satisfies { [S in WindowSide]?: number[] };
    const start = (side: keyof typeof memory) => () => coldStart(window.program(side, path), memory[side]);
    const sides = { ours: start('ours'), floor: start('floor'), peer: start('peer') };
    await interleaved(2, sides); // the first connection loads the protocol
    for (const side of Object.values(memory)) side.length = 0;
    results.push({ node, time: await interleaved(ROUNDS, sides), memory });
  }
  return results;
}

async function coldStart(program: Program, memory: number[]): Promise<number> {
  const started = performance.now();
  const client = new Client(program);
  await client.initialize();
  const time = performance.now() - started;
  memory.push(client.residentSize());
  await client.close();
  return time;
}

/** Paths by major version. */
function nodes(): Map<string, string> {
  const own = join(projectRoot, 'node_modules');
  const elsewhere = pathDirectories().filter((directory) => !directory.startsWith(own));
  const machine = findProgram('node', elsewhere);
  return new Map([machine, projectNode()].flatMap((path) => (path ? [[versionOf(path), path]] : [])));
}

const versionOf = (node: string): string =>
  execFileSync(node, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' }).trim();
