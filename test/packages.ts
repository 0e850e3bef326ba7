/** Programs from npm that tests run in, run on or are compared with, too large to be development dependencies. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { own } from './host/cleanup.ts';
import { npm } from './host/headless/npm.ts';
import { type Report, runStep } from './host/headless/step.ts';
import { cacheDirectory } from './host/paths.ts';
import { isRunning } from './host/processes.ts';

/**
 * Installs one version of a package when it is first needed, without install scripts. Returns its folder.
 *
 * @param complete does in the new folder what the package needs besides its dependencies
 * @param options of npm
 */
export async function ensurePackage(
  name: string,
  version: string,
  report: Report = console.error,
  complete: (folder: string) => Promise<void> = async () => {},
  options: readonly string[] = [],
): Promise<string> {
  const title = `${basename(name)}-${version}`;
  const directory = join(cacheDirectory, title);
  const folderIn = (parent: string) => join(parent, 'node_modules', name);
  removeDeadInstalls();
  if (!existsSync(directory))
    await runStep(`Installing ${title} from npm`, report, () =>
      install(directory, async (draft) => {
        writeFileSync(join(draft, 'package.json'), JSON.stringify({ dependencies: { [name]: version } }));
        await npm(draft, 'install', ...options);
        await complete(folderIn(draft));
      }),
    );
  return folderIn(directory);
}

/** Installs beside and renames when complete, so a directory under the final name is always a whole one. */
async function install(directory: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${directory}.${process.pid}.part`;
  const erase = () => rmSync(draft, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  const disown = own({ close: async () => erase(), kill: erase });
  try {
    mkdirSync(draft, { recursive: true });
    await fill(draft);
    try {
      renameSync(draft, directory);
    } catch (error) {
      if (!existsSync(directory)) throw error; // else another run was first
    }
  } finally {
    erase();
    disown();
  }
}

/** What an interrupted run has left. Its npm may still be writing: then the next run removes it. */
function removeDeadInstalls(): void {
  if (!existsSync(cacheDirectory)) return;
  for (const name of readdirSync(cacheDirectory)) {
    const pid = /\.(\d+)\.part$/.exec(name)?.[1];
    if (!pid || isRunning(Number(pid))) continue;
    try {
      rmSync(join(cacheDirectory, name), { recursive: true, force: true, maxRetries: 3 });
    } catch {}
  }
}
