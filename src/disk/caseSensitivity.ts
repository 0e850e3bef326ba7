import { opendirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** So many names of a folder are looked at for one that has a letter. */
const LOOKED_AT = 20;

/**
 * Whether the file system of a folder takes `A` and `a` for the same name: on Linux those of Windows do (a stick, `/mnt/c` of
 * WSL), and there no system call tells how a name is really spelled. False where that cannot be found out.
 */
export function ignoresCaseIn(folder: string): boolean {
  try {
    const name = namesIn(folder).find((one) => inOtherCase(one) !== one);
    if (name === undefined) return false;
    const [one, other] = [name, inOtherCase(name)].map((spelled) => statSync(join(folder, spelled)));
    return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
  } catch {
    return false; // no such name, so it does not
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
