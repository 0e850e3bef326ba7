import type * as vscode from 'vscode';
import type { BreakpointStore } from '../services/debug/breakpoints.ts';

/** Removes those that agents had set before the window was reloaded or its extension host was killed. */
export function removeLeftBreakpoints(
  { debug }: typeof vscode,
  store: BreakpointStore,
): vscode.Disposable | undefined {
  const left = new Set(store.get());
  if (left.size === 0) return undefined;
  void store.set([]);
  const remove = (all: readonly vscode.Breakpoint[]) => {
    const own = all.filter(({ id }) => left.has(id));
    if (own.length > 0) debug.removeBreakpoints(own);
  };
  remove(debug.breakpoints);
  return debug.onDidChangeBreakpoints(({ added }) => remove(added)); // VS Code may tell of them later
}
