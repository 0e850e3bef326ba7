/** Mocha, run from a program: inside the extension host there is no command line. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { TEST_FAILED, TESTS_BEGIN, TESTS_END } from './headless/testOutput.ts';
import { TEST_PATIENCE } from './patience.ts';

/** The variable that names the file for the results: an exit code alone does not say how many tests ran. */
export const RESULTS_VARIABLE = 'HOST_TEST_RESULTS';

/** After so many failures the rest is not run: most would wait for something that cannot come any more. */
const ENOUGH = 3;

export interface Results {
  passed: number;
  /** What failed: the test and its error. */
  failures: string[];
  /** Tests that were skipped, or came after too many failures. */
  notRun: number;
}

/**
 * @param load imports the test files, which find `describe` and `it` as globals
 * @param witness says what is there when a test fails
 */
export async function runMocha(
  load: () => Promise<unknown>,
  witness: (title: string) => Promise<string> = async () => '',
): Promise<Results> {
  process.setSourceMapsEnabled(true);
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({ ui: 'bdd', reporter: 'spec', timeout: TEST_PATIENCE, slow: 1_000 });
  mocha.suite.emit('pre-require', globalThis as unknown as Mocha.MochaGlobals, '', mocha);
  await load();
  const failures: Promise<string>[] = [];
  waitAfterEach(mocha.suite, async () => void (await Promise.all(failures)));
  const passed = await new Promise<number>((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats?.passes ?? 0));
    runner.on('fail', (test, error) => {
      const title = test.fullTitle();
      failures.push(witness(title).then((scene) => `${title}: ${error.stack ?? error.message}\n${scene}`));
      if (failures.length === ENOUGH) runner.abort();
    });
  });
  const notRun = Math.max(0, mocha.suite.total() - passed - failures.length); // a hook can fail, too
  const results = { passed, failures: await Promise.all(failures), notRun };
  const file = process.env[RESULTS_VARIABLE];
  if (file) writeFileSync(file, JSON.stringify(results));
  return results;
}

/** Before the hooks of the suite itself, which close what is to be seen. */
function waitAfterEach(suite: Mocha.Suite, wait: () => Promise<void>): void {
  suite.afterEach(wait);
  const { _afterEach: hooks } = suite as unknown as { _afterEach: Mocha.Hook[] };
  hooks.unshift(...hooks.splice(-1));
  for (const inner of suite.suites) waitAfterEach(inner, wait);
}

/**
 * Runs tests inside the extension host, whose console carries more than the tests.
 * @throws when a test failed, as VS Code wants it
 */
export async function runMochaInEditor(load: () => Promise<unknown>): Promise<void> {
  await foldersAreThere();
  console.log(TESTS_BEGIN);
  try {
    const { failures } = await runMocha(load, sceneFromOutside);
    if (failures.length > 0) throw new Error(`${failures.length} failed`);
  } catch (error) {
    console.error(error);
    throw error;
  } finally {
    console.log(TESTS_END);
  }
}

/** How long is waited for a scene, in milliseconds: a desktop window has nobody outside who looks at it. */
const LOOKING = 10_000;

/** Beside the results, what the process that has opened this window sees in it. */
export const sceneFile = (results: string): string => `${results}.scene`;

async function sceneFromOutside(title: string): Promise<string> {
  const file = sceneFile(process.env[RESULTS_VARIABLE] ?? '');
  rmSync(file, { force: true }); // of a failure before, if it came too late
  console.log(`${TEST_FAILED} ${title}`);
  for (const deadline = Date.now() + LOOKING; !existsSync(file); await delay(50))
    if (Date.now() > deadline) return '';
  return readFileSync(file, 'utf8');
}

/** How long VS Code has to read its workspace file, in milliseconds. */
const READING = 5_000;

/**
 * On a busy machine VS Code for the Web may read its workspace file before the server's files are there: then the window has no folder,
 * and gets none until it is reloaded, which begins the tests anew.
 */
async function foldersAreThere(): Promise<void> {
  const { workspace, commands, env, UIKind } = await import('vscode');
  const isMissing = () => workspace.workspaceFile !== undefined && !workspace.workspaceFolders?.length;
  for (const deadline = Date.now() + READING; isMissing(); await delay(100)) {
    if (Date.now() < deadline || env.uiKind !== UIKind.Web) continue;
    await commands.executeCommand('workbench.action.reloadWindow');
    await new Promise(() => {});
  }
}
