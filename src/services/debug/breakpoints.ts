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

export type AgentBreakpoints = ReturnType<typeof agentBreakpoints>;

/** The breakpoints and exception filters that agents have set. They go when the agent does. */
export function agentBreakpoints({ debug, SourceBreakpoint }: typeof vscode, store?: BreakpointStore) {
  const owners = new Map<string, Author>();
  const filters = new Map<number, readonly string[]>();
  const keep = () => void store?.set([...owners.keys()]);
  const remove = (breakpoints: readonly vscode.Breakpoint[]): void => {
    if (breakpoints.length === 0) return;
    debug.removeBreakpoints(breakpoints);
    for (const { id } of breakpoints) owners.delete(id);
    keep();
  };
  const of = (author: number) => debug.breakpoints.filter(({ id }) => owners.get(id)?.id === author);
  return {
    /** All of the window, those of the user too. */
    get all(): readonly vscode.Breakpoint[] {
      return debug.breakpoints;
    },
    /** Undefined if the user has set it. */
    ownerOf: ({ id }: vscode.Breakpoint): Author | undefined => owners.get(id),
    /** The one in a line. VS Code keeps one: of two it forgets the second, and tells nobody. */
    at: ({ uri, range }: vscode.Location): vscode.Breakpoint | undefined =>
      debug.breakpoints.find(
        (one) =>
          one instanceof SourceBreakpoint &&
          `${one.location.uri}` === `${uri}` &&
          one.location.range.start.line === range.start.line,
      ),
    add(breakpoint: vscode.Breakpoint, author: Author): void {
      owners.set(breakpoint.id, author);
      keep();
      debug.addBreakpoints([breakpoint]);
    },
    remove,
    of,
    /** Filters by which an agent's own sessions stop at exceptions, beside those that the user has chosen. */
    filtersOf: ({ id }: Author): readonly string[] => filters.get(id) ?? [],
    filter: ({ id }: Author, wanted: readonly string[]) => void filters.set(id, wanted),
    endOf(author: number): void {
      remove(of(author));
      filters.delete(author);
    },
    dispose: () => remove(debug.breakpoints.filter(({ id }) => owners.has(id))),
  };
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
