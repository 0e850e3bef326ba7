import type * as vscode from 'vscode';
import type { ApprovalOptions } from '../../access/consent/types.ts';
import type { ApprovalKind } from '../../access/operation.ts';
import type { GrantStore, KeptGrant } from '../../server/sessionGrants.ts';

const listIn = <T>(state: vscode.Memento, key: string) => ({
  get: () => state.get<readonly T[]>(key, []),
  set: (items: readonly T[]) => state.update(key, items),
});

/** What is always allowed in this workspace: kept by VS Code apart from all settings, so that no repository brings it. */
export const consentStore = (state: vscode.Memento): ApprovalOptions['store'] =>
  listIn<ApprovalKind>(state, 'alwaysAllowed');

/** What is allowed for sessions, over a reload of the window; in the same place. */
export const grantStore = (state: vscode.Memento): GrantStore =>
  listIn<KeptGrant>(state, 'allowedForSessions');
