import * as vscode from 'vscode';
import type { Seen } from '../../hosting/config/resolve/lookAt.ts';
import type { Verdict } from '../../hosting/config/trust.ts';
import type { Hosted } from '../../hosting/servers/hosted.ts';
import type { Hosting } from '../../hosting/servers/hosting.ts';
import type { UsableServer } from '../../hosting/servers/launcher.ts';
import type { ReadOnlyTexts } from '../readOnlyTexts.ts';
import { approvalText, approvalTitle, type OpenVerdict, wrapped } from './approvalText.ts';
import { openDefinition } from './openDefinition.ts';

/** Longest text that a dialog shows whole on a small screen, in characters and lines. */
const DIALOG_LENGTH = 1_500;
const DIALOG_LINES = 20;

/** `later`: the user looks at the definition or at the workspace's trust first. */
type Answer = 'yes' | 'no' | 'later';

/**
 * Asks the user to approve a hosted server.
 *
 * @returns `yes` if it may be started; `later` also if the definition changed again while the user read it
 */
export async function approveHosted(server: Hosted, texts: ReadOnlyTexts): Promise<Answer> {
  const seen = await server.look();
  const { verdict } = server;
  const { launch } = server.server.found.definition;
  if (verdict.kind === 'trusted') return 'yes';
  const answer = await decide(server.server, verdict, seen, texts);
  if (answer !== 'yes') return answer;
  await server.approve(launch, seen.variables);
  return server.verdict.kind === 'trusted' ? 'yes' : 'later';
}

/** The same for one that is only found in a file. @returns the server, if it is now hosted and may be started */
export async function hostFound(
  hosting: Hosting,
  found: UsableServer,
  texts: ReadOnlyTexts,
): Promise<Hosted | undefined> {
  const seen = await hosting.look(found);
  if ((await decide(found, hosting.verdictOf(found), seen, texts)) !== 'yes') return undefined;
  await hosting.host(found, seen.variables);
  const server = hosting.hostedOf(found);
  return server?.verdict.kind === 'trusted' ? server : undefined;
}

async function decide(
  server: UsableServer,
  verdict: Verdict,
  seen: Seen,
  texts: ReadOnlyTexts,
): Promise<Answer> {
  if (verdict.kind === 'restricted') {
    await vscode.commands.executeCommand('workbench.trust.manage');
    return 'later';
  }
  return verdict.kind === 'trusted' ? 'yes' : confirm(server, verdict, seen, texts);
}

/** A text that is too long for a dialog is shown in an editor, where all of it can be read before the answer. */
async function confirm(
  server: UsableServer,
  verdict: OpenVerdict,
  seen: Seen,
  texts: ReadOnlyTexts,
): Promise<Answer> {
  const { l10n, window } = vscode;
  const yes = l10n.t('Start Server');
  const title = approvalTitle(server.name, verdict);
  const detail = approvalText(server, verdict, seen);
  if (detail.length <= DIALOG_LENGTH && detail.split('\n').length <= DIALOG_LINES) {
    // Enter chooses the first button of a dialog, and the user may be typing when it opens.
    const show = l10n.t('Show Definition');
    const answer = await window.showWarningMessage(title, { modal: true, detail }, show, yes);
    if (answer !== show) return answer === yes ? 'yes' : 'no';
    await openDefinition(server);
    return 'later';
  }
  const name = l10n.t('Server to Approve');
  await texts.show(name, wrapped(`${title}\n\n${detail}\n`));
  const read = l10n.t('Read all of it in the editor first.');
  const answer = await window.showWarningMessage(`${title} ${read}`, yes, l10n.t('Cancel'));
  await texts.close(name);
  return answer === yes ? 'yes' : 'no';
}
