/**
 * The headless host behind the arguments of the `code` executable, as @vscode/test-electron's `runTests` and
 * `npm start` use them. With tests it prints their output and exits with their code, else it stays until it is ended.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { closeAll, isEnding } from '../cleanup.ts';
import { RESULTS_VARIABLE, sceneFile } from '../mochaRun.ts';
import { type HostOptions, startHost } from './host.ts';
import { describeWindows } from './scene.ts';
import { testOutput } from './testOutput.ts';

/** What is not named here, `--no-sandbox` for instance, concerns desktop windows and is ignored. */
function hostOptions(args: string[]): HostOptions {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    strict: false,
    options: {
      extensionDevelopmentPath: { type: 'string' },
      extensionTestsPath: { type: 'string' },
      'user-data-dir': { type: 'string' },
      'extensions-dir': { type: 'string' },
      'disable-workspace-trust': { type: 'boolean' },
    },
  });
  const given = {
    target: positionals[0],
    extensionDevelopmentPath: values.extensionDevelopmentPath,
    extensionTestsPath: values.extensionTestsPath,
    userDataDir: values['user-data-dir'],
    extensionsDir: values['extensions-dir'],
    workspaceTrust: values['disable-workspace-trust'] !== true,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

let isLookedAt = false;

/** For the tests inside, which read it as a whole or not yet. */
async function tellScene(title: string): Promise<void> {
  isLookedAt = true;
  const file = sceneFile(process.env[RESULTS_VARIABLE] ?? '');
  writeFileSync(`${file}.part`, await describeWindows(title));
  renameSync(`${file}.part`, file);
}

const options = hostOptions(process.argv.slice(2));
const output = testOutput(console.log, (title) => void tellScene(title));
try {
  const host = await startHost({ ...options, onConsole: output.take, report: console.error });
  process.exitCode = await host.testsEnded;
  output.end(process.exitCode);
  if (process.exitCode !== 0 && !isLookedAt) console.error(await describeWindows('inside'));
} catch (error) {
  if (!isEnding()) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
await closeAll();
process.exit();
