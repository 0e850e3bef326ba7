import { opendirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Names of a folder that are checked to find one with a letter. */
const LOOKED_AT = 20;

/**
 * Whether a folder's file system ignores case. On Linux those of Windows do (a USB stick, WSL's `/mnt/c`), and no system call
 * returns the real spelling there. False if it cannot be determined.
 */
export function ignoresCaseIn(folder: string): boolean {
  try {
    const name = namesIn(folder).find((one) => inOtherCase(one) !== one);
    if (name === undefined) return false;
    const [one, other] = [name, inOtherCase(name)].map((spelled) => statSync(join(folder, spelled)));
    return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
  } catch {
    return false; // the name in the other case does not exist
  }
}

function namesIn(folder: string): string[] {
  const directory = opendirSync(folder);
  try {
    return Array.from({ length: LOOKED_AT }, () => directory.readSync()?.name ?? '');
  } finally {
    directory.closeSync();
  }
}

const inOtherCase = (name: string): string =>
  name.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
