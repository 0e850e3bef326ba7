import type * as vscode from 'vscode';
import type { ApprovalOptions } from '../../access/consent/types.ts';
import { type Grant, isGrant, samplerOf, serverOf } from '../../core/grants.ts';
import { holds } from '../../hosting/index.ts';
import type { GrantStore, KeptGrant } from '../../server/sessionGrants.ts';
import type { BreakpointStore } from '../../services/debug/breakpoints.ts';

/** VS Code's global state, which has the approvals of hosted servers: what is allowed of a server ends with its approval. */
type Global = Pick<vscode.Memento, 'get'>;

/** Whether a grant has an effect: that of a server has none if the approval that it belongs to has gone. */
export function isCurrent(grant: string, global: Global): boolean {
  const server = serverOf(grant) ?? samplerOf(grant);
  return server === undefined || holds(global, server.key);
}

const listIn = <T>(state: vscode.Memento, key: string, isKept: (item: T) => boolean = () => true) => ({
  get: () => state.get<readonly T[]>(key, []).filter(isKept),
  set: (items: readonly T[]) => state.update(key, items),
});

/** What is always allowed in this workspace. VS Code stores them apart from settings, so no repository can set them. */
export const consentStore = (state: vscode.Memento, global: Global): ApprovalOptions['store'] =>
  listIn<Grant>(state, 'alwaysAllowed', (grant) => isGrant(grant) && isCurrent(grant, global));

/** Grants of sessions, stored in the same place, so that they survive a reload of the window. */
export const grantStore = (state: vscode.Memento): GrantStore =>
  listIn<KeptGrant>(state, 'allowedForSessions');

/** Ids of breakpoints that agents have set, stored in the same place. */
export const breakpointStore = (state: vscode.Memento): BreakpointStore =>
  listIn<string>(state, 'breakpointsOfAgents');

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
