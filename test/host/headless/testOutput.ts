/** The output of a test run, taken out of the window's console, where the workbench talks to itself as well. */

/** What the test runner prints before and after everything else. */
export const TESTS_BEGIN = '▶ tests';
export const TESTS_END = '■ tests';

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

export function testOutput(print: (line: string) => void): TestOutput {
  const before: string[] = [];
  let state: 'before' | 'during' | 'after' = 'before';
  return {
    take(line) {
      if (line === TESTS_BEGIN) state = 'during';
      else if (line === TESTS_END) state = 'after';
      else if (chatter.some((pattern) => pattern.test(line))) return;
      else if (state === 'during') print(line);
      else if (state === 'before') before.push(line);
    },
    end(exitCode) {
      if (exitCode !== 0 && state === 'before') for (const line of before) print(line);
    },
  };
}
