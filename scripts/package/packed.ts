import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../test/host/paths.ts';

/**
 * The files of the package, relative to the project, as `vsce ls` has them: what .vscodeignore takes out of "everything". `npm run
 * build` has made some of them. vsce itself looks at every file below the project, which takes a minute.
 */
export function packedFiles(): string[] {
  const lines = readFileSync(join(projectRoot, '.vscodeignore'), 'utf8').split('\n');
  const packed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  return globSync(packed, { cwd: projectRoot }).sort();
}
