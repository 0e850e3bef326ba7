/** Cold starts: from starting the process until `initialize` is answered, and the memory that it then has. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { projectNode, projectRoot } from '../host/paths.ts';
import { findProgram, pathDirectories } from '../host/programs.ts';
import { atMost, ofFloor } from './aims.ts';
import { Client, type Program } from './client.ts';
import { interleaved, type WindowSide } from './samples.ts';
import { stage } from './stage.ts';
import { type Row, row } from './table.ts';
import type { BenchWindow } from './window.ts';

const ROUNDS = 30;

/** On the project's Node, and on the machine's where that is another one. */
export async function startUp(window: BenchWindow): Promise<Row[]> {
  stage('start of the shim');
  const rows: Row[] = [];
  for (const [node, path] of nodes()) {
    const memory = { ours: [], floor: [], peer: [] } satisfies { [S in WindowSide]?: number[] };
    const start = (side: keyof typeof memory) => () => coldStart(window.program(side, path), memory[side]);
    const sides = { ours: start('ours'), floor: start('floor'), peer: start('peer') };
    await interleaved(2, sides); // the first connection loads the protocol
    for (const side of Object.values(memory)) side.length = 0;
    const time = await interleaved(ROUNDS, sides);
    rows.push(row(`shim start → \`initialize\` answered, Node ${node}`, 'ms', time, ofFloor(1.25)));
    rows.push(row(`shim memory, Node ${node}`, 'MiB', memory, node === '24' ? atMost(52) : undefined));
  }
  return rows;
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
