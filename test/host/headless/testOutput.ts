/** The output of a test run, taken out of the window's console, where the workbench talks to itself as well. */

/** What the test runner prints before and after everything else. */
export const TESTS_BEGIN = '▶ tests';
export const TESTS_END = '■ tests';
/** What it prints before the title of a test that has just failed. */
export const TEST_FAILED = '✗ test';

/** What the workbench says about itself, its accounts, hosts that cannot be reached, and edits that came too late. */
const chatter = [
  /^%c/,
  /^\[[A-Z][\w :]*\]/,
  /^Canceled/,
  /^Creating a socket/,
  /^DialogService:/,
  /open-vsx\.org|telemetry/i,
  /has changed in the meantime/,
];

export interface TestOutput {
  take(line: string): void;
  /** Without a beginning, all that was said before is what tells why. */
  end(exitCode: number): void;
}

/** @param look hears of each test that fails, while its window still shows why */
export function testOutput(print: (line: string) => void, look: (title: string) => void): TestOutput {
  const before: string[] = [];
  let state: 'before' | 'during' | 'after' = 'before';
  return {
    take(line) {
      if (line === TESTS_BEGIN) state = 'during';
      else if (line === TESTS_END) state = 'after';
      else if (line.startsWith(TEST_FAILED)) look(line.slice(TEST_FAILED.length + 1));
      else if (chatter.some((pattern) => pattern.test(line))) return;
      else if (state === 'during') print(line);
      else if (state === 'before') before.push(line);
    },
    end(exitCode) {
      if (exitCode !== 0 && state === 'before') for (const line of before) print(line);
    },
  };
}
