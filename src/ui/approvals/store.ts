import type * as vscode from 'vscode';
import type { ApprovalOptions } from '../../access/consent/types.ts';
import type { ApprovalKind } from '../../access/operation.ts';
import type { GrantStore, KeptGrant } from '../../server/sessionGrants.ts';

const KEY = 'alwaysAllowed';
const SESSIONS_KEY = 'allowedForSessions';

/** What is always allowed in this workspace: kept by VS Code apart from all settings, so that no repository brings it. */
export const consentStore = (state: vscode.Memento): ApprovalOptions['store'] => ({
  get: () => state.get<ApprovalKind[]>(KEY, []),
  set: (kinds) => state.update(KEY, kinds),
});

/** What is allowed for sessions, over a reload of the window; in the same place. */
export const grantStore = (state: vscode.Memento): GrantStore => ({
  get: () => state.get<KeptGrant[]>(SESSIONS_KEY, []),
  set: (grants) => state.update(SESSIONS_KEY, grants),
});
