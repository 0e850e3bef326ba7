/** Builds the extension into a directory of its own. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { cacheDirectory } from '../../paths.ts';

/** @returns the directory */
export function buildExtension(): string {
  const directory = join(cacheDirectory, 'answers-extension');
  buildSync({
    entryPoints: [join(import.meta.dirname, 'main.ts')],
    outfile: join(directory, 'main.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    target: 'node22',
    external: ['vscode'],
    logLevel: 'warning',
  });
  cpSync(join(import.meta.dirname, 'package.json'), join(directory, 'package.json'));
  return directory;
}
