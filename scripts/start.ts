/**
 * `npm start -- [FOLDER] [--once]`: opens a folder in a real VS Code with this extension in it, and shows what an
 * agent sees there. Stays open until Ctrl-C, or with `--once` ends after the summary and leaves nothing behind.
 */
import { cpSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  HOME_VARIABLE,
  readRecords,
  stateDirectory,
  WINDOW_VARIABLE,
  type WindowRecord,
} from '../src/ipc/windowRecord.ts';
import { prepareStateDirectory } from '../src/server/serverRun.ts';
import { closeAll, isEnding } from '../test/host/cleanup.ts';
import { projectRoot } from '../test/host/paths.ts';
import { makeScratch, type Scratch } from '../test/host/scratch.ts';
import { lookAround } from './start/agent.ts';
import { howToConnect } from './start/connect.ts';
import { openEditor } from './start/editor.ts';
import { summary } from './start/summary.ts';
import { awaitWindow, forgetAtTheEnd } from './start/window.ts';

const USAGE = 'Usage: npm start -- [FOLDER] [--once]';

const report = (line: string) => console.log(line);

async function start(given: string | undefined, once: boolean): Promise<void> {
  const scratch = makeScratch();
  const folder = given === undefined ? sampleFolder(scratch) : existingFolder(given);
  const env = once ? privatePlaces(scratch) : {};
  const home = stateDirectory({ ...process.env, ...env });

  prepareStateDirectory(home, [folder]); // the extension would refuse it as well, where nobody looks
  const earlier = readRecords(home);
  let window: WindowRecord | undefined;
  forgetAtTheEnd(home, () => window); // ahead of the editor, to come after it when all is closed
  report(`Opening ${folder} in VS Code …`);
  const editor = await openEditor({ folder, profile: join(scratch.path, 'profile'), env, report });
  window = await awaitWindow(home, folder, earlier, editor.ended);

  report(
    `The window is ready: ${window.ideName} ${window.ideVersion}. Connecting an agent through the shim …\n`,
  );
  const view = await lookAround(folder, { ...env, [HOME_VARIABLE]: home, [WINDOW_VARIABLE]: window.id });
  report(`${summary(view)}\n`);

  if (once) return;
  report(`${await howToConnect()}\n`);
  process.exitCode = 0; // Ctrl-C is how this is meant to end
  report('VS Code stays open until Ctrl-C.');
  await editor.ended;
  report('VS Code was closed.');
}

/** A copy, so that trying things out does not change the repository. */
function sampleFolder({ path }: Scratch): string {
  const sample = 'test/host/main/workspace';
  const copy = join(path, 'invoices');
  cpSync(join(projectRoot, sample), copy, { recursive: true });
  report(`No folder given: using a copy of the sample project ${sample}.`);
  return copy;
}

function existingFolder(given: string): string {
  // npm runs its scripts in the project; the person typed the path where they were
  const folder = resolve(process.env.INIT_CWD ?? '', given);
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (!stat) throw new Error(`There is no folder "${folder}". ${USAGE}`);
  if (!stat.isDirectory()) throw new Error(`"${folder}" is a file; name the folder to open. ${USAGE}`);
  return realpathSync(folder);
}

/** State and sockets of their own, which go with the scratch directory. */
function privatePlaces({ path }: Scratch): Record<string, string> {
  const places = { [HOME_VARIABLE]: join(path, 'home'), XDG_RUNTIME_DIR: join(path, 'run') };
  for (const directory of Object.values(places)) mkdirSync(directory, { mode: 0o700 });
  return places;
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { once: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  if (positionals.length > 1) throw new Error(`One folder, not ${positionals.length}. ${USAGE}`);
  if (values.help) report(USAGE);
  else await start(positionals[0], values.once);
  process.exitCode = 0;
} catch (error) {
  if (!isEnding()) {
    const isUnknownOption = (error as { code?: string }).code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
    console.error(isUnknownOption ? USAGE : error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
await closeAll();
process.exit();
