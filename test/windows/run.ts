/**
 * `npm run test:windows`: the tests of test/unit and test/wire as Windows runs them. On Linux Wine runs Windows' Node; what Wine
 * itself cannot do is listed in wine.json, and nothing else may fail. `-- FILE…` runs some files, `-- --short` the part that belongs
 * to `npm test`.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readIfThere } from '../../src/util/diskPaths.ts';
import { closeAll } from '../host/cleanup.ts';
import { cacheDirectory, projectRoot } from '../host/paths.ts';
import { type Result, verdictOn } from './verdict.ts';
import listed from './wine.json' with { type: 'json' };
import { canHaveWine, ensureWine, inWine } from './wine.ts';

/** What is Windows' own: names of files, programs, the shim over named pipes, the configurations of agents. */
const SHORT = [
  'test/unit/access/**/*.test.ts',
  'test/unit/agents/*.test.ts',
  'test/unit/core/*.test.ts',
  'test/unit/{disk,ipc,util}/*.test.ts',
  'test/unit/services/run/commandProcess.test.ts',
  'test/unit/workspace/read/*.test.ts',
  'test/wire/{calls,doctor,framing,seeds,shim}.test.ts',
  'test/wire/hostile/paths.test.ts',
  'test/wire/http/requests.test.ts',
];
const ALL = ['test/unit/**/*.test.ts', 'test/wire/**/*.test.ts'];
/** They read the repository by Git, which Wine does not have. */
const RULES = 'test/rules/**/*.test.ts';

/** For one test, and from one result to the next, in ms. */
const PATIENCE = 120_000;
const SILENCE = 240_000;
/** Runs one after another that finish no file, and runs of files in which Wine did not start a program. */
const TRIES = 4;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false } },
});
const named = positionals.length > 0 ? positionals : undefined;
const isWindows = process.platform === 'win32';
const patterns = named ?? (values.short ? SHORT : isWindows ? [...ALL, RULES] : ALL);
const MOCHA = 'node_modules/mocha/bin/mocha.js';
const slashed = (path: string): string => path.replaceAll('\\', '/');

/** What has run until now. */
const resultsIn = (file: string): Result[] =>
  `${readIfThere(file) ?? ''}`
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

async function runInWine(): Promise<boolean> {
  const wine = await ensureWine(console.error).catch((error: Error) => {
    if (!values.short) throw error;
    console.log(`Not run as on Windows: Wine cannot be had here. ${error.message}`);
  });
  if (!wine) return true;
  const folder = join(cacheDirectory, 'windows');
  mkdirSync(folder, { recursive: true });
  const [output, results] = [join(folder, 'output.txt'), join(folder, 'results.jsonl')];
  rmSync(results, { force: true });
  const reporter = [
    '--reporter',
    './test/windows/reporter.cjs',
    '--reporter-option',
    `output=${inWine(results)}`,
  ];
  const options = ['--jobs', '2', '--timeout', `${PATIENCE}`, ...withoutNotRun(), ...reporter];
  const began = Date.now();
  const last = () => statSync(results, { throwIfNoEntry: false })?.mtimeMs ?? began;
  const hasCrashed = (): boolean => `${readIfThere(output)}`.includes('wineserver crashed');
  const isStuck = () => Date.now() - last() > SILENCE || hasCrashed();
  const all = new Set(globSync([...patterns], { cwd: projectRoot }).map(slashed));
  let left = [...patterns];
  // Wine's server crashes now and then. Mocha reports a file when all of it has run, so the others are run again.
  let repeated = 0;
  for (let vain = 0; vain < TRIES && left.length > 0; ) {
    const before = resultsIn(results).length;
    const code = await wine.run([MOCHA, ...left, ...options], output, isStuck);
    const done = new Set(resultsIn(results).map(({ file = '' }) => slashed(file)));
    const isDone = (path: string) => [...done].some((one) => one.endsWith(`/${path}`));
    vain = resultsIn(results).length > before ? 0 : vain + 1;
    const again = repeated < TRIES ? dropUnstarted(results) : [];
    if (again.length > 0) repeated++;
    const notDone = code === undefined ? [...all].filter((path) => !isDone(path)) : [];
    left = [...new Set([...notDone, ...again])];
  }
  const { text, isGood } = verdictOn(resultsIn(results), patterns === ALL);
  console.log(text);
  if (left.length > 0) console.log(`Wine has stopped, see ${output}. Not run: ${left.join(' ')}`);
  // In `npm test` a Wine that crashes each time is one that cannot be had; a test that hangs is red.
  return isGood && (left.length === 0 || (values.short && hasCrashed()));
}

/** Drops the results of files in which Wine did not start a program, which it fails to do now and then. @returns their paths */
function dropUnstarted(path: string): string[] {
  const results = resultsIn(path);
  const isUnstarted = ({ state, error = '' }: Result) =>
    state === 'failed' && error.includes('spawn UNKNOWN');
  const files = new Set(results.filter(isUnstarted).map(({ file = '' }) => file));
  const kept = results.filter(({ file = '' }) => !files.has(file));
  writeFileSync(path, kept.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return [...files].map((file) => slashed(file).replace(/^.*?\/(?=test\/)/, ''));
}

/** Options of Mocha that leave out the files and titles that are not run. */
function withoutNotRun(): string[] {
  const [files = [], titles = []] = [true, false].map((isFile) =>
    Object.values(listed.notRun)
      .flat()
      .filter((one) => one.endsWith('.ts') === isFile),
  );
  const pattern = titles.map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return [...files.flatMap((file) => ['--ignore', file]), '--grep', `^(?:${pattern})$`, '--invert'];
}

process.chdir(projectRoot);
if (isWindows)
  process.exitCode = spawnSync(process.execPath, [MOCHA, ...patterns], { stdio: 'inherit' }).status ?? 1;
else if (!canHaveWine())
  console.log('Not run as on Windows: Wine is missing (Debian: apt-get install wine64).');
else {
  process.exitCode = (await runInWine()) ? 0 : 1;
  await closeAll();
}
