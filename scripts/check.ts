/**
 * `npm run check`: what to run before a commit. `npm run check -- --changed [SINCE]`: lint, types, and the unit and wire tests that
 * import what has changed in the working tree, or since a commit. Says how long each part took, and prints what failed.
 * `npm test` is all there is, and prints all.
 */
import { execFileSync, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { testsOf } from '../test/rules/graph.ts';
import { root, tracked } from '../test/rules/sources.ts';

interface Part {
  name: string;
  command: readonly [string, ...string[]];
}

const QUIET = ['--reporter', 'dot'];

const script = (name: string, ...args: string[]): Part => ({
  name,
  command: ['npm', 'run', '--silent', name, '--', ...args],
});
const mocha = (name: string, tests: readonly string[]): Part => ({
  name,
  command: ['npx', 'mocha', ...QUIET, ...tests],
});

/** These tests of test/wire stand for all: calls, edits, a reload, hosted servers. */
const SMOKE = ['calls', 'edits', 'reload', 'hosting/tools'].map((name) => `test/wire/${name}.test.ts`);

const LOOKS = ['lint', 'types', 'build'].map((name) => script(name));
type Lanes = readonly (readonly Part[])[];
/** Windows wait more than they compute: beside them there is time for the others. */
const CHECK: Lanes = [
  [script('test:unit', ...QUIET), mocha('wire', SMOKE), script('test:rules', ...QUIET)],
  [script('test:host', '--smoke')],
];
const ALL: Lanes = [[script('test:node')], [script('test:host')]];
/** Alone: the official suite gives a stream 800 ms for its first answer, whatever else the machine does. */
const CONFORMANCE = script('test:conformance');
/** Alone: Wine starts processes without end, and windows beside it answer late. */
const WINDOWS: Part = { name: 'windows', command: ['node', 'test/windows/run.ts', '--short'] };

const { values, positionals } = parseArgs({
  allowPositionals: process.argv.includes('--changed'),
  options: { changed: { type: 'boolean', default: false }, all: { type: 'boolean', default: false } },
});

/** What the parts that failed have printed, to be read last. */
const failed: string[] = [];

/** Runs one after the other. @returns whether all passed */
async function inTurn(parts: readonly Part[]): Promise<boolean> {
  let isGood = true;
  for (const part of parts) isGood = (await run(part)) && isGood;
  return isGood;
}

async function atOnce(lanes: Lanes): Promise<boolean> {
  const results = await Promise.all(lanes.map(inTurn));
  return results.every(Boolean);
}

async function run({ name, command: [program, ...args] }: Part): Promise<boolean> {
  const started = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const code = new Promise((resolve) => child.once('close', resolve));
  const output = await Promise.all([text(child.stdout), text(child.stderr)]);
  const isGood = (await code) === 0;
  if (!isGood) failed.push(`\n✗ ${name}\n${output.join('')}`);
  else if (values.all) console.log(output.join(''));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${isGood ? '✓' : '✗'} ${name.padEnd(10)} ${seconds.padStart(6)} s`);
  return isGood;
}

/** Paths that git says have changed since a commit, from the repository on. */
function changedSince(commit: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  return [
    ...git('diff', '--name-only', '-z', '--no-renames', commit),
    ...git('ls-files', '-z', '--others', '--exclude-standard'),
  ].filter(Boolean);
}

/** @param since the last commit by default, or the one before it where nothing has changed */
async function checkChanged([since = 'HEAD']: readonly string[]): Promise<boolean> {
  const edited = changedSince(since);
  const changed = edited.length > 0 ? edited : changedSince(`${since}~1`);
  const rules = tracked('test/rules/*.test.ts');
  const all = [...tracked('test/unit/**/*.test.ts', 'test/wire/**/*.test.ts'), ...rules];
  const reached = await testsOf(changed, all);
  // Rules read what is not code: pages, package.json, translations.
  const tests = changed.every((path) => path.endsWith('.ts'))
    ? reached
    : [...new Set([...reached, ...rules])];
  console.log(`Changed files: ${changed.length}. Files of tests for them: ${tests.length}.`);
  const needsBuild = tests.some((path) => !path.startsWith('test/unit/'));
  const testing = [...(needsBuild ? [script('build')] : []), mocha('tests', tests)];
  return atOnce([[script('lint'), script('types')], ...(tests.length > 0 ? [testing] : [])]);
}

// The terminal interrupts the parts as well: they end what they have started.
process.once('SIGINT', () => {});

async function check(): Promise<boolean> {
  if (!(await atOnce(LOOKS.map((part) => [part])))) return false;
  if (!values.all) return atOnce(CHECK);
  const isGood = [await run(CONFORMANCE), await atOnce(ALL), await run(WINDOWS)];
  return isGood.every(Boolean);
}

const isGood = values.changed ? await checkChanged(positionals) : await check();
for (const output of failed) console.log(output);
process.exitCode = isGood ? 0 : 1;
