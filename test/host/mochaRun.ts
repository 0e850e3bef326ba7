/** Mocha, run from a program: inside the extension host there is no command line. */
import { writeFileSync } from 'node:fs';
import { TESTS_BEGIN, TESTS_END } from './headless/testOutput.ts';
import { TEST_PATIENCE } from './patience.ts';

/** The variable that names the file for the results: an exit code alone does not say how many tests ran. */
export const RESULTS_VARIABLE = 'HOST_TEST_RESULTS';

/** After so many failures the rest is not run: most would wait for something that cannot come any more. */
const ENOUGH = 3;

export interface Results {
  passed: number;
  /** What failed: the test and its error. */
  failures: string[];
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
  mocha.suite.afterEach(async () => void (await Promise.all(failures))); // before what it shows goes
  const passed = await new Promise<number>((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats?.passes ?? 0));
    runner.on('fail', (test, error) => {
      const title = test.fullTitle();
      failures.push(witness(title).then((scene) => `${title}: ${error.stack ?? error.message}\n${scene}`));
      if (failures.length === ENOUGH) runner.abort();
    });
  });
  const results = { passed, failures: await Promise.all(failures) };
  if (failures.length >= ENOUGH)
    results.failures.push(`the tests after these ${ENOUGH} failures were not run`);
  const file = process.env[RESULTS_VARIABLE];
  if (file) writeFileSync(file, JSON.stringify(results));
  return results;
}

/**
 * The same inside the extension host, whose console carries more than the tests.
 * @throws when a test failed, as VS Code wants it
 */
export async function runMochaInEditor(load: () => Promise<unknown>): Promise<void> {
  console.log(TESTS_BEGIN);
  try {
    const { failures } = await runMocha(load);
    if (failures.length > 0) throw new Error(`${failures.length} failed`);
  } catch (error) {
    console.error(error);
    throw error;
  } finally {
    console.log(TESTS_END);
  }
}
