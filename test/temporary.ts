/** Temporary directories and links as every system can make them. */
import { mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { URI } from 'vscode-uri';

/**
 * A fresh directory, whose name begins so. Its path is real (macOS' temporary directory is a link, Windows' often a short name), spelled as
 * VS Code spells it (`c:`), and short: macOS' own would leave no room for the paths of sockets.
 */
export function makeTemporary(name = 'wmcp-'): string {
  const parent = process.platform === 'darwin' ? '/tmp' : tmpdir();
  return URI.file(realpathSync.native(mkdtempSync(join(parent, name)))).fsPath;
}

/** Processes that are just ending may still write, and on Windows keep what they have open; hence the retries. */
export const removeTemporary = (path: string): void =>
  rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

/** A fresh directory for each test of the suite that calls it. */
export function useDirectory() {
  let path = '';
  const closing: (() => unknown)[] = [];
  beforeEach(() => {
    path = makeTemporary();
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    removeTemporary(path);
  });
  return {
    get path() {
      return path;
    },
    /** Called after the test, before the directory is removed. */
    atEnd: (close: () => unknown): void => void closing.push(close),
  };
}

let linkable: boolean | undefined;

/** On Windows links take a privilege, which administrators and the developer mode have; Wine has none. */
function mayLink(): boolean {
  const directory = makeTemporary();
  try {
    symlinkSync('nowhere', join(directory, 'link'));
    return readdirSync(directory).length > 0; // Wine makes none, and says nothing
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    return false;
  } finally {
    removeTemporary(directory);
  }
}

/** Whether this user may make links. */
export function canLink(): boolean {
  linkable ??= mayLink();
  return linkable;
}

/** `it` for tests that make links: they are skipped where this user may not make any. */
export function itWithLinks(title: string, test: () => unknown): Mocha.Test {
  return canLink()
    ? it(title, test as Mocha.AsyncFunc)
    : it.skip(`${title} (needs the privilege to make links)`);
}

/** Skips a suite on Windows, like `onPosix`. */
export function onlyOnPosix(): void {
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
}

/**
 * `it` for tests of what only POSIX systems have: file modes, sockets with paths, a Bourne shell, names with `:` or `*`.
 * `it` is looked up at each call: it is another for each file that a process of Mocha's runs, and the one that was there
 * when this file was loaded would add the tests to a file that has run.
 */
export const onPosix = (title: string, test: () => unknown): Mocha.Test =>
  process.platform === 'win32' ? it.skip(title) : it(title, test as Mocha.AsyncFunc);
