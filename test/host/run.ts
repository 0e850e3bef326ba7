/**
 * Runs the tests in a real VS Code: `node test/host/run.ts [--desktop] [--smoke] [--jobs N] [case…]`.
 * Each case has a window of its own in the headless one, or with `--desktop` a downloaded desktop build of its own.
 * `--smoke` is the case that stands for all. Three run at a time unless `--jobs` says otherwise: a window waits more than it computes.
 */
import '../compileCache.ts';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { findCases } from './cases.ts';
import { FOLDER_VARIABLE } from './headless/install.ts';
import { shareMachine } from './headless/machine.ts';
import type { Results } from './mochaRun.ts';
import { runInParallel } from './parallel.ts';
import { projectRoot } from './paths.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    desktop: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '3' },
  },
});

async function main(): Promise<Results> {
  if (!existsSync(join(projectRoot, 'dist/extension.cjs')))
    throw new Error('The extension is not built: run `npm run build` first.');
  const cases = findCases(values.smoke ? ['smoke'] : positionals)
    .filter(({ inside }) => inside || !values.desktop)
    .sort((a, b) => Number(b.options.isLong ?? false) - Number(a.options.isLong ?? false));
  if (cases.some(({ options }) => options.installed)) packExtension();
  const options = values.desktop ? ['--desktop', await downloadAndUnzipVSCode()] : [];
  // A server of an older version gives its windows no variables of their own.
  const close = values.desktop || process.env[FOLDER_VARIABLE] ? undefined : await shareMachine();
  const program = join(import.meta.dirname, 'runCase.ts');
  const runs = cases.map(({ name }) => [name, ...options]);
  const results = await runInParallel(program, runs, Number(values.jobs));
  await close?.();
  return results;
}

/** Once for all cases that install the package: each would write the same file. */
function packExtension(): void {
  execFileSync(process.execPath, [join(projectRoot, 'scripts/package.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

try {
  const { passed, failures, notRun } = await main();
  for (const failure of failures) console.error(`\n✗ ${failure}`);
  console.log(`\n${passed} passed, ${failures.length} failed, ${notRun} not run`);
  const end = () => process.exit(failures.length > 0 ? 1 : 0);
  process.stderr.write('', () => process.stdout.write('', end)); // a pipe takes it all only in time
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
