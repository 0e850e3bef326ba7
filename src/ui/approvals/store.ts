import type * as vscode from 'vscode';
import type { ApprovalKind, ApprovalOptions } from '../../access/consent.ts';

const KEY = 'alwaysAllowed';

/** What is always allowed in this workspace: kept by VS Code apart from all settings, so that no repository brings it. */
export const consentStore = (state: vscode.Memento): ApprovalOptions['store'] => ({
  get: () => state.get<ApprovalKind[]>(KEY, []),
  set: (kinds) => state.update(KEY, kinds),
});
