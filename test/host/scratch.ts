/** A temporary directory that goes with this process. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { own } from './cleanup.ts';

export interface Scratch {
  /** Real path: macOS' temporary directory is a link, and editors report what lies behind it. */
  path: string;
  remove(): void;
}

/** The name is kept short: paths of sockets made in here may have about a hundred bytes. */
export function makeScratch(): Scratch {
  const path = mkdtempSync(join(realpathSync(tmpdir()), 'wmcp-'));
  // Processes that are just ending may still write; hence the retries.
  const erase = () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  const disown = own({ close: async () => erase(), kill: erase });
  const remove = () => {
    disown();
    erase();
  };
  return { path, remove };
}
