import type * as vscode from 'vscode';

/** How long after a look language servers take back what they reported of it, in milliseconds. */
const AFTERWARDS = 1_000;

/**
 * Files that are looked at for an agent: what is reported of one comes of the look, and goes with it. Who is told of it looks
 * again, and so on without end; so it is told only where something is different in the end.
 */
export class Looks {
  readonly #printOf: (uri: vscode.Uri) => string;
  readonly #differs: (uri: vscode.Uri) => void;
  readonly #at = new Map<string, { count: number; before: string; timer?: NodeJS.Timeout }>();

  /** @param printOf the same while nothing has changed */
  constructor(printOf: (uri: vscode.Uri) => string, differs: (uri: vscode.Uri) => void) {
    this.#printOf = printOf;
    this.#differs = differs;
  }

  /** Whether it is being looked at, or was until now. */
  isAt(uri: vscode.Uri): boolean {
    return this.#at.has(uri.toString());
  }

  async during<T>(uri: vscode.Uri, look: () => Promise<T>): Promise<T> {
    const key = uri.toString();
    const one = this.#at.get(key) ?? { count: 0, before: this.#printOf(uri) };
    this.#at.set(key, one);
    one.count++;
    clearTimeout(one.timer);
    try {
      return await look();
    } finally {
      if (--one.count === 0) one.timer = setTimeout(() => this.#end(uri, one.before), AFTERWARDS);
    }
  }

  dispose(): void {
    for (const { timer } of this.#at.values()) clearTimeout(timer);
    this.#at.clear();
  }

  #end(uri: vscode.Uri, before: string): void {
    this.#at.delete(uri.toString());
    if (this.#printOf(uri) !== before) this.#differs(uri);
  }
}
