import * as vscode from 'vscode';
import type { ActivityCall } from '../../server/activity.ts';
import { jsonRpcOf } from './callText.ts';
import type { Row } from './items.ts';

/** The inline actions of the view; each gets its row. */
export const rowCommands = {
  cancelCall: (row?: Row) => {
    if (row?.kind === 'call') row.agent.cancel(row.call);
  },
  copyCall: (row?: Row) => (row?.kind === 'call' ? copyCall(row.call) : undefined),
  disconnectAgent: (row?: Row) => {
    if (row?.kind === 'agent') row.agent.disconnect();
  },
};

/** @throws Error if the messages were discarded */
export async function copyCall(call: ActivityCall): Promise<void> {
  const { l10n } = vscode;
  const text = jsonRpcOf(call);
  if (!text)
    throw new Error(l10n.t('The messages of this call have been discarded. Copy a call soon after it ends.'));
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(l10n.t('Copied as JSON-RPC'), 3_000);
}
