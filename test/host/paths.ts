/** Where things lie in this repository. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

export const projectRoot: string = join(import.meta.dirname, '../..');

/** What tests download, install and build; ignored by git, safe to delete. */
export const cacheDirectory: string = join(projectRoot, '.vscode-test');

/** The Node that npm scripts run on, whatever the machine has: the development dependency `node`. */
export function projectNode(): string {
  const path = join(projectRoot, 'node_modules/.bin/node');
  if (!existsSync(path)) throw new Error('The development dependencies are missing: run `npm ci` first.');
  return realpathSync(path);
}
