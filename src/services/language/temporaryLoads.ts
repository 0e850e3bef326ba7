import type * as vscode from 'vscode';
import { clock } from '../../util/clock.ts';

/** How long after a check language servers may clear their reports, in milliseconds. */
const AFTERWARDS = 1_000;

/**
 * Files being checked for an agent. Their problems appear because of the check and disappear after it. If subscribers were
 * notified of that, they would check again, endlessly. So they are notified only if the final result differs.
 *
 * @param printOf must be equal while the problems are equal
 */
export function temporaryLoads(printOf: (uri: vscode.Uri) => string, differs: (uri: vscode.Uri) => void) {
  const loads = new Map<string, { count: number; before: string; stay?(): void }>();
  const end = (uri: vscode.Uri, before: string) => {
    loads.delete(uri.toString());
    if (printOf(uri) !== before) differs(uri);
  };
  return {
    /** Whether the file is being checked, or was until just now. */
    has: (uri: vscode.Uri): boolean => loads.has(uri.toString()),

    async whileLoaded<T>(uri: vscode.Uri, check: () => Promise<T>): Promise<T> {
      const key = uri.toString();
      const load = loads.get(key) ?? { count: 0, before: printOf(uri) };
      loads.set(key, load);
      load.count++;
      load.stay?.();
      try {
        return await check();
      } finally {
        if (--load.count === 0) load.stay = clock.after(AFTERWARDS, () => end(uri, load.before));
      }
    },

    dispose(): void {
      for (const load of loads.values()) load.stay?.();
      loads.clear();
    },
  };
}
