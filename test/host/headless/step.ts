/** Steps of an installation, several at a time, with one line of progress for all of them. */
import type { SpawnOptions } from 'node:child_process';
import { spawnGroup } from './processGroup.ts';

/** Takes one line of progress. */
export type Report = (line: string) => void;

/** The steps that run: their titles, and when they began. */
const running = new Map<string, number>();

const elapsed = (since: number): string => `${Math.round((Date.now() - since) / 1000)} s`;

/** Reports when a step begins and ends. On a terminal one line shows what is running instead, and for how long. */
export async function runStep(title: string, report: Report, work: () => Promise<void>): Promise<void> {
  const started = Date.now();
  running.set(title, started);
  const ticker = process.stderr.isTTY ? setInterval(showRunning, 1_000) : undefined;
  if (!ticker) report(`${title} …`);
  try {
    await work();
  } finally {
    running.delete(title);
    if (ticker) clearInterval(ticker);
    if (ticker) showLine('');
  }
  report(`${title}: done in ${elapsed(started)}`);
}

function showRunning(): void {
  showLine([...running].map(([title, started]) => `${title} … ${elapsed(started)}`).join(' | '));
}

/** Replaces the terminal's last line. It has to fit into one, or else it could not be replaced. */
function showLine(text: string): void {
  process.stderr.write(`\r\x1b[K${text.slice(0, process.stderr.columns - 1)}`);
}

/** @throws with the end of the program's output when it fails */
export async function run(command: string, args: string[], options: SpawnOptions): Promise<void> {
  const group = await spawnGroup(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = lastOutput(group.child);
  const code = await group.exited;
  await group.stop(); // takes along what the program left running
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: exit code ${code}.\n${output()}`);
}

function lastOutput({ stdout, stderr }: Awaited<ReturnType<typeof spawnGroup>>['child']): () => string {
  let output = '';
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-8_000);
    });
  return () => output.trim().split('\n').slice(-25).join('\n');
}
