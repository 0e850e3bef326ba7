import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clock, delay } from './clock.ts';

const POLL = 30;

/**
 * What a program writes to a file that nobody else may read, and that is removed at once.
 *
 * @param ms that the program has. @param start starts it; it writes all before the file has its name
 * @returns undefined if nothing has come
 */
export async function outputFile(
  ms: number,
  start: (file: string) => { dispose(): void },
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'workspace-mcp-'));
  const file = join(folder, 'output');
  let started: { dispose(): void } | undefined;
  try {
    started = start(file);
    for (const until = clock.now() + ms; clock.now() < until; await delay(POLL)) {
      const written = await readFile(file, 'utf8').catch(() => undefined);
      if (written) return written;
    }
    return undefined;
  } finally {
    started?.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}
