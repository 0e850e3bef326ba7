/** One step of an installation: a program that is run with its progress shown and its output kept for the case of failure. */
import type { SpawnOptions } from 'node:child_process';
import { spawnGroup } from './processGroup.ts';

/** Takes one line of progress. */
export type Report = (line: string) => void;

/** Milliseconds between two signs of life. */
const HEARTBEAT = 15_000;

/** @throws with the end of the program's output when it fails */
export async function runStep(
  title: string,
  command: string,
  args: string[],
  options: SpawnOptions,
  report: Report,
): Promise<void> {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  report(`${title} …`);
  const heartbeat = setInterval(() => report(`${title} … ${seconds()} s`), HEARTBEAT);
  try {
    const group = await spawnGroup(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = lastOutput(group.child);
    const code = await group.exited;
    await group.stop(); // takes along what the program left running
    if (code !== 0) throw new Error(`${title}: failed with exit code ${code}.\n${output()}`);
  } finally {
    clearInterval(heartbeat);
  }
  report(`${title}: done in ${seconds()} s`);
}

function lastOutput({ stdout, stderr }: Awaited<ReturnType<typeof spawnGroup>>['child']): () => string {
  let output = '';
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-8_000);
    });
  }
  return () => output.trim().split('\n').slice(-25).join('\n');
}
