import * as vscode from 'vscode';
import type { SamplingRequest } from '../../../hosting/answers/sampling.ts';
import { oneLine, quoted } from '../../untrustedText.ts';
import type { HostedTexts } from './hostedTexts.ts';
import { decide } from './quickInputs.ts';

export type SamplingChoice = 'once' | 'session' | 'always' | 'deny';

/**
 * Asks whether a server may ask a language model, beside the messages that it would send.
 *
 * @throws CancelledError once the signal is aborted
 */
export async function askSampling(
  texts: HostedTexts,
  server: string,
  { text, model, maxTokens }: SamplingRequest,
  signal: AbortSignal,
): Promise<SamplingChoice> {
  const { l10n } = vscode;
  const choice = (answer: SamplingChoice, label: string, detail: string) => ({ answer, label, detail });
  const rows = [
    choice(
      'once',
      l10n.t('Allow Once'),
      l10n.t('Sends the messages shown in the editor to {0}.', quoted(model)),
    ),
    choice(
      'session',
      l10n.t('Allow for this Server'),
      l10n.t('Does not ask again for this server until the window is reloaded.'),
    ),
    choice('always', l10n.t('Always Allow this Server'), l10n.t('Never asks again for this server.')),
    choice('deny', l10n.t('Deny'), l10n.t('Sends nothing.')),
  ];
  const decision = {
    title: l10n.t('The MCP server {0} wants to ask a language model', quoted(server, 40)),
    placeholder: l10n.t('{0}, a reply of at most {1} tokens', oneLine(model), maxTokens),
    rows,
  };
  const title = l10n.t('Messages of {0}', oneLine(server, 40));
  return (await texts.during(title, text, () => decide(decision, signal))) ?? 'deny';
}
