import type * as vscode from 'vscode';
import type { Author } from '../../workspace/edit/journal.ts';

/** Ids of breakpoints that agents have set, over a reload of the window: VS Code keeps breakpoints, and knows no owner of one. */
export interface BreakpointStore {
  get(): readonly string[];
  set(ids: readonly string[]): PromiseLike<unknown>;
}

/** The breakpoints and exception filters that agents have set. They go when the agent does. */
export class AgentBreakpoints {
  readonly #code: typeof vscode;
  readonly #store: BreakpointStore | undefined;
  readonly #owners = new Map<string, Author>();
  readonly #filters = new Map<number, readonly string[]>();

  constructor(code: typeof vscode, store?: BreakpointStore) {
    this.#code = code;
    this.#store = store;
  }

  /** All of the window, those of the user too. */
  get all(): readonly vscode.Breakpoint[] {
    return this.#code.debug.breakpoints;
  }

  /** Undefined if the user has set it. */
  ownerOf({ id }: vscode.Breakpoint): Author | undefined {
    return this.#owners.get(id);
  }

  /** The one in a line. VS Code keeps one: of two it forgets the second, and reports it to nobody. */
  at({ uri, range }: vscode.Location): vscode.Breakpoint | undefined {
    return this.all.find(
      (one) =>
        one instanceof this.#code.SourceBreakpoint &&
        `${one.location.uri}` === `${uri}` &&
        one.location.range.start.line === range.start.line,
    );
  }

  add(breakpoint: vscode.Breakpoint, author: Author): void {
    this.#owners.set(breakpoint.id, author);
    this.#keep();
    this.#code.debug.addBreakpoints([breakpoint]);
  }

  remove(breakpoints: readonly vscode.Breakpoint[]): void {
    if (breakpoints.length === 0) return;
    this.#code.debug.removeBreakpoints(breakpoints);
    for (const { id } of breakpoints) this.#owners.delete(id);
    this.#keep();
  }

  of(author: number): vscode.Breakpoint[] {
    return this.all.filter((one) => this.ownerOf(one)?.id === author);
  }

  /** Filters by which an agent's own sessions stop at exceptions, beside those that the user has chosen. */
  filtersOf({ id }: Author): readonly string[] {
    return this.#filters.get(id) ?? [];
  }

  filter({ id }: Author, wanted: readonly string[]): void {
    this.#filters.set(id, wanted);
  }

  endOf(author: number): void {
    this.remove(this.of(author));
    this.#filters.delete(author);
  }

  dispose(): void {
    this.remove(this.all.filter(({ id }) => this.#owners.has(id)));
  }

  #keep(): void {
    void this.#store?.set([...this.#owners.keys()]);
  }
}
