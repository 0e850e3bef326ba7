import type * as vscode from 'vscode';
import { clock } from '../../util/clock.ts';

/** How long after a check language servers may clear their reports, in milliseconds. */
const AFTERWARDS = 1_000;

/**
 * Files being checked for an agent. Their problems appear because of the check and disappear after it. If subscribers were
 * notified of that, they would check again, endlessly. So they are notified only if the final result differs.
 */
export class Looks {
  readonly #printOf: (uri: vscode.Uri) => string;
  readonly #differs: (uri: vscode.Uri) => void;
  readonly #at = new Map<string, { count: number; before: string; stay?(): void }>();

  /** @param printOf must be equal while the problems are equal */
  constructor(printOf: (uri: vscode.Uri) => string, differs: (uri: vscode.Uri) => void) {
    this.#printOf = printOf;
    this.#differs = differs;
  }

  /** Whether the file is being checked, or was until just now. */
  isAt(uri: vscode.Uri): boolean {
    return this.#at.has(uri.toString());
  }

  async during<T>(uri: vscode.Uri, look: () => Promise<T>): Promise<T> {
    const key = uri.toString();
    const one = this.#at.get(key) ?? { count: 0, before: this.#printOf(uri) };
    this.#at.set(key, one);
    one.count++;
    one.stay?.();
    try {
      return await look();
    } finally {
      if (--one.count === 0) one.stay = clock.after(AFTERWARDS, () => this.#end(uri, one.before));
    }
  }

  dispose(): void {
    for (const one of this.#at.values()) one.stay?.();
    this.#at.clear();
  }

  #end(uri: vscode.Uri, before: string): void {
    this.#at.delete(uri.toString());
    if (this.#printOf(uri) !== before) this.#differs(uri);
  }
}
