/** Programs from npm that are compared with or tested by, too large to be development dependencies. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmInstall } from './host/headless/npm.ts';
import { cacheDirectory } from './host/paths.ts';

/** Installs one version of a package when it is first needed. Returns its folder. */
export async function ensurePackage(name: string, version: string): Promise<string> {
  const directory = join(cacheDirectory, `${name.replace(/^.*\//, '')}-${version}`);
  if (!existsSync(directory)) {
    const draft = `${directory}.part`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    const manifest = { private: true, dependencies: { [name]: version } };
    writeFileSync(join(draft, 'package.json'), JSON.stringify(manifest));
    await npmInstall(`installing ${name} ${version}`, draft, console.error);
    renameSync(draft, directory);
  }
  return join(directory, 'node_modules', name);
}
