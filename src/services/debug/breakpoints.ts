import type * as vscode from 'vscode';
import { delay } from '../../util/clock.ts';
import type { Author } from '../../workspace/edit/journal.ts';

/** Milliseconds for running adapters to bind a breakpoint, and between two looks. */
const BINDING = 1_000;
const BETWEEN = 100;

/** Ids of breakpoints that agents have set, over a reload of the window: VS Code keeps breakpoints, and knows no owner of one. */
export interface BreakpointStore {
  get(): readonly string[];
  set(ids: readonly string[]): PromiseLike<unknown>;
}

/** In a running session, what its adapter has made of a breakpoint. */
export interface Binding {
  session: vscode.DebugSession;
  verified: boolean;
  /** 1-based; the adapter may have moved it. */
  line?: number;
  message?: string;
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

  /** The one in a line. VS Code keeps one: of two it forgets the second, and tells nobody. */
  at({ uri, range }: vscode.Location): vscode.Breakpoint | undefined {
    const isThere = (one: vscode.Breakpoint) =>
      one instanceof this.#code.SourceBreakpoint &&
      `${one.location.uri}` === `${uri}` &&
      one.location.range.start.line === range.start.line;
    return this.all.find(isThere);
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
    return this.all.filter(({ id }) => this.#owners.get(id)?.id === author);
  }

  /** Filters by which an agent's own sessions stop at exceptions, beside those that the user has chosen. */
  filtersOf({ id }: Author): readonly string[] {
    return this.#filters.get(id) ?? [];
  }

  filter({ id }: Author, filters: readonly string[]): void {
    this.#filters.set(id, filters);
  }

  /** The agent is gone. */
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

/** Resolves once a session has bound it, at the latest after a second: VS Code tells the adapters of it only then. */
export async function waitForBinding(
  breakpoint: vscode.Breakpoint,
  sessions: readonly vscode.DebugSession[],
  signal: AbortSignal,
): Promise<void> {
  for (let waited = 0; sessions.length > 0 && waited < BINDING; waited += BETWEEN) {
    if ((await bindingsOf(breakpoint, sessions)).some(({ verified }) => verified)) return;
    await delay(BETWEEN, signal);
  }
}

/** What the adapters of running sessions have made of a breakpoint. */
export async function bindingsOf(
  breakpoint: vscode.Breakpoint,
  sessions: Iterable<vscode.DebugSession>,
): Promise<Binding[]> {
  const found = await Promise.all(
    [...sessions].map(async (session): Promise<Binding[]> => {
      const bound = await session.getDebugProtocolBreakpoint(breakpoint).then(undefined, () => undefined);
      if (!bound) return [];
      const { verified, line, message } = bound as { verified: boolean; line?: number; message?: string };
      return [{ session, verified, ...(line !== undefined && { line }), ...(message && { message }) }];
    }),
  );
  return found.flat();
}
