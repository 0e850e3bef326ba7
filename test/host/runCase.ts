/** Runs one case for run.ts, which it sends the results to: `node runCase.ts CASE [--desktop EXECUTABLE]`. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { bundle, type Case, findCases } from './cases.ts';
import type { Results } from './mochaRun.ts';
import { projectRoot } from './paths.ts';
import { CASE_PATIENCE } from './patience.ts';
import { makeSandbox, type Sandbox } from './sandbox.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { desktop: { type: 'string' } },
});
const executable = values.desktop ?? join(import.meta.dirname, 'headless/code');

async function main(): Promise<Results> {
  const total: Results = { passed: 0, failures: [], notRun: 0 };
  for (const one of findCases(positionals)) {
    const runs = [
      one.inside && ((sandbox: Sandbox) => runInside(one, sandbox)),
      one.outside && !values.desktop && ((sandbox: Sandbox) => runOutside(one.outside, sandbox)),
    ].filter((run) => typeof run === 'function');
    for (const run of runs) {
      const { passed, failures, notRun } = await runSandboxed(one, run);
      total.passed += passed;
      total.notRun += notRun;
      total.failures.push(...failures);
    }
  }
  return total;
}

async function runSandboxed(one: Case, run: (sandbox: Sandbox) => Promise<void>): Promise<Results> {
  console.log(`\n─── ${one.name}`);
  const started = performance.now();
  const sandbox = makeSandbox(one);
  const timer = setTimeout(() => {
    console.error(`✗ ${one.name} took longer than ${CASE_PATIENCE / 60_000} minutes`);
    void sandbox.endProcesses();
  }, CASE_PATIENCE);
  const crash = await run(sandbox).then(
    () => undefined,
    (error: Error) => error.message,
  );
  clearTimeout(timer);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`─── ${one.name}: ${seconds} s`);
  const results = readResults(sandbox);
  const leftovers = await sandbox.leftovers();
  if (leftovers.length > 0) await sandbox.endProcesses();
  sandbox.remove();
  const { failures } = results;
  const problems = leftovers.map((leftover) => `left behind: ${leftover}`);
  if (crash && failures.length === 0) problems.push(crash);
  return { ...results, failures: [...failures, ...problems.map((problem) => `${one.name}: ${problem}`)] };
}

async function runInside(one: Case, sandbox: Sandbox): Promise<void> {
  const { target, userDataDir, extensionsDir, env } = sandbox;
  if (one.extension) cpSync(one.extension, join(extensionsDir, 'beside'), { recursive: true });
  await runTests({
    vscodeExecutablePath: executable,
    extensionDevelopmentPath: projectRoot,
    extensionTestsPath: await bundle(one),
    launchArgs: [target, `--user-data-dir=${userDataDir}`, `--extensions-dir=${extensionsDir}`],
    extensionTestsEnv: env,
  });
}

async function runOutside(file: string | undefined, sandbox: Sandbox): Promise<void> {
  const args = [join(import.meta.dirname, 'browserCase.ts'), ...(file ? [file] : [])];
  const env = { ...process.env, ...sandbox.env };
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  const code = await new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
  if (code !== 0) throw new Error(`Test run failed with code ${code}`);
}

function readResults({ resultsFile }: Sandbox): Results {
  if (!existsSync(resultsFile)) return { passed: 0, failures: [], notRun: 0 };
  return JSON.parse(readFileSync(resultsFile, 'utf8'));
}

try {
  const results = await main();
  process.send?.(results, () => process.exit(results.failures.length > 0 ? 1 : 0));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
