import * as vscode from 'vscode';
import { throwIfCancelled } from '../../../../core/errors.ts';
import { cutText } from '../../../../core/text/cutText.ts';
import { allVisible, allVisibleText } from '../../../../core/text/escapeInvisible.ts';
import type { UrlAnswer } from '../../../../hosting/answers/elicitation.ts';
import { clock } from '../../../../util/clock.ts';
import { oneLine, quoted } from '../../../untrustedText.ts';
import { TIME_TO_READ } from '../quickInputs.ts';

/** Most characters of a message in a dialog. */
const MOST_SHOWN = 2_000;

/** Opens a page of the server if the user wants it. @throws CancelledError once the signal is aborted */
export async function askPage(
  server: string,
  message: string,
  url: URL,
  signal: AbortSignal,
): Promise<UrlAnswer> {
  const { l10n, window, env, Uri } = vscode;
  const [open, decline] = [l10n.t('Open Page'), l10n.t('Decline')];
  const question = l10n.t(
    'The MCP server {0} asks you to open a page on {1}',
    quoted(server, 40),
    oneLine(url.host),
  );
  const detail = [
    allVisibleText(cutText(message, MOST_SHOWN)),
    allVisible(url.href),
    l10n.t('Continue only if you trust this server and this address.'),
  ].join('\n\n');
  for (;;) {
    const openedAt = clock.now();
    const answer = await window.showWarningMessage(question, { modal: true, detail }, open, decline);
    throwIfCancelled(signal); // a dialog cannot be closed by us
    if (answer === undefined) return { action: 'cancel' };
    if (answer === decline) return { action: 'decline' };
    // Before that, the key was meant for something else.
    if (clock.now() - openedAt > TIME_TO_READ)
      return { action: (await env.openExternal(Uri.parse(url.href, true))) ? 'accept' : 'cancel' };
  }
}
