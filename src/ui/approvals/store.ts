import type * as vscode from 'vscode';
import type { ApprovalOptions } from '../../access/consent/types.ts';
import type { Grant } from '../../access/operation.ts';
import type { SamplingGrantStore } from '../../hosting/answers/sampling/samplingGrants.ts';
import type { GrantStore, KeptGrant } from '../../server/sessionGrants.ts';

const listIn = <T>(state: vscode.Memento, key: string) => ({
  get: () => state.get<readonly T[]>(key, []),
  set: (items: readonly T[]) => state.update(key, items),
});

/** What is always allowed in this workspace. VS Code stores them apart from settings, so no repository can set them. */
export const consentStore = (state: vscode.Memento): ApprovalOptions['store'] =>
  listIn<Grant>(state, 'alwaysAllowed');

/** Grants of sessions, stored in the same place, so that they survive a reload of the window. */
export const grantStore = (state: vscode.Memento): GrantStore =>
  listIn<KeptGrant>(state, 'allowedForSessions');

/** The servers that may always ask language models, stored in the same place. */
export const samplingStore = (state: vscode.Memento): SamplingGrantStore =>
  listIn<string>(state, 'samplingAllowed');
