import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isMissing } from './resolveLinks.ts';

/** Flags to open for reading. Without O_NONBLOCK, opening a FIFO would wait for a writer. */
export const TO_READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The bytes of a file; undefined if there is none at this path.
 *
 * @param most bytes
 * @throws RangeError for a longer file or something that is not a file, and Node's errors
 */
export async function readSmallFile(path: string, most: number): Promise<Buffer | undefined> {
  const file = await open(path, TO_READ).catch((error: NodeJS.ErrnoException) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!file) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > most) throw new RangeError(`not a file of at most ${most} bytes`);
    const buffer = Buffer.alloc(stats.size);
    const { bytesRead } = await file.read(buffer, 0, stats.size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
