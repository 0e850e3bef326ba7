/** Temporary directories and links as every system can make them. */
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { URI } from 'vscode-uri';

/**
 * A fresh directory. Its path is real (macOS' temporary directory is a link, Windows' often a short name), spelled as
 * VS Code spells it (`c:`), and short: macOS' own would leave no room for the paths of sockets.
 */
export function makeTemporary(): string {
  const parent = process.platform === 'darwin' ? '/tmp' : tmpdir();
  return URI.file(realpathSync.native(mkdtempSync(join(parent, 'wmcp-')))).fsPath;
}

/** Processes that are just ending may still write, and on Windows keep what they have open; hence the retries. */
export const removeTemporary = (path: string): void =>
  rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

let linkable: boolean | undefined;

/** On Windows links take a privilege, which administrators and the developer mode have. */
function mayLink(): boolean {
  const directory = makeTemporary();
  try {
    symlinkSync('nowhere', join(directory, 'link'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    return false;
  } finally {
    removeTemporary(directory);
  }
}

/** `it` for tests that make links: they are skipped where this user may not make any. */
export function itWithLinks(title: string, test: Mocha.AsyncFunc): Mocha.Test {
  linkable ??= mayLink();
  return linkable ? it(title, test) : it.skip(`${title} (needs the privilege to make links)`);
}
