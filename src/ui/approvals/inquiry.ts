import * as vscode from 'vscode';
import type { Inquiry, Reply } from '../../access/consent/types.ts';
import { allVisibleText } from '../../core/text/escapeInvisible.ts';
import { oneLine, quoted } from '../untrustedText.ts';
import { inOneLine, namedAgent } from './kinds.ts';
import { moreOf, type Page, textsOf, timeOf } from './page.ts';
import type { PageReply } from './panel.ts';

/** The page of an agent's own question. It says that it only asks, and has none of the buttons that allow something. */
export function inquiryPage(inquiry: Inquiry): Page {
  const { l10n } = vscode;
  const { id, agent, directory, message, choices, freeText, askedAt } = inquiry;
  const asker = namedAgent(inquiry);
  const place = directory ? [l10n.t('The agent works in {0}.', oneLine(directory))] : [];
  return {
    id,
    title: l10n.t('{0} asks: {1}', quoted(agent, 25), quoted(inOneLine(message), 45)),
    heading: l10n.t('A question from {0}', asker),
    from: [...place, l10n.t('Your answer is sent to the agent. It allows nothing.')].join(' '),
    facts: '',
    detail: [allVisibleText(message)],
    warnings: [],
    ends: l10n.t('If you do not answer by {0}, the agent continues without an answer.', timeOf(inquiry)),
    more: moreOf(inquiry),
    age: Date.now() - askedAt,
    choices: [],
    files: [],
    replies: {
      choices: choices.map((choice) => oneLine(choice)),
      freeText,
      placeholder: l10n.t('Your answer'),
      send: l10n.t('Send'),
      dismiss: l10n.t('Dismiss'),
    },
    texts: textsOf(),
  };
}

/** Undefined if the page cannot give that answer. */
export function replyOf({ choices, freeText }: Inquiry, reply: PageReply): Reply | undefined {
  if ('dismissed' in reply) return reply;
  if ('words' in reply) return freeText && reply.words.trim() !== '' ? reply : undefined;
  const choice = choices[reply.choice];
  return choice === undefined ? undefined : { choice };
}
