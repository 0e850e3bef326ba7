import * as vscode from 'vscode';
import type { Asked, Inquiry, Reply } from '../../access/consent/types.ts';
import { plainMarkdown } from '../../core/text/markdown.ts';
import { allVisibleText } from '../../core/text/visible.ts';
import { oneLine, quoted } from '../messages.ts';
import { moreOf, type Note, type Page, textsOf, timeOf } from './page.ts';
import type { PageReply } from './panel.ts';
import { messageText, namedAgent } from './questionText.ts';

/** How a question whose answer gives no permission is answered. */
export interface AnswerReader<A> {
  /** The answer in a reply of the page; undefined if there is none yet. @param annotate shows something about the fields */
  take(reply: PageReply, annotate: (notes: readonly Note[]) => void): A | undefined;
  /** The answer if the user closes the page; if left out, the question stays. */
  closed?: A;
}

/** The page of a question whose answer gives no permission: it has none of the buttons that allow something. */
export const askedPage = (
  asked: Asked,
  own: Pick<Page, 'heading' | 'from' | 'detail' | 'ends'> & Partial<Page>,
): Page => ({
  id: asked.id,
  title: vscode.l10n.t('{0} asks: {1}', quoted(asked.agent, 25), messageText(asked, 45)),
  facts: '',
  why: '',
  covers: '',
  said: '',
  given: [],
  warnings: [],
  more: moreOf(asked),
  age: Date.now() - asked.askedAt,
  choices: [],
  files: [],
  texts: textsOf(),
  ...own,
});

/** The page of an agent's own question. It says that it only asks, and has none of the buttons that allow something. */
export function inquiryPage(inquiry: Inquiry): Page {
  const { l10n } = vscode;
  const { directory, message, choices, freeText } = inquiry;
  const place = directory ? [l10n.t('The agent works in {0}.', oneLine(directory))] : [];
  return askedPage(inquiry, {
    heading: l10n.t('A question from {0}', namedAgent(inquiry)),
    from: [...place, l10n.t('Your answer is sent to the agent. It allows nothing.')].join(' '),
    detail: [allVisibleText(plainMarkdown(message))],
    ends: l10n.t('If you do not answer by {0}, the agent continues without an answer.', timeOf(inquiry)),
    replies: {
      choices: choices.map((choice) => oneLine(plainMarkdown(choice))),
      freeText,
      placeholder: l10n.t('Your answer'),
      send: l10n.t('Send'),
      dismiss: l10n.t('Dismiss'),
    },
  });
}

/** Undefined if the page cannot give that answer. */
export function replyOf({ choices, freeText }: Inquiry, reply: PageReply): Reply | undefined {
  if ('dismissed' in reply) return reply;
  if ('entries' in reply) return undefined;
  if ('words' in reply) return freeText && reply.words.trim() !== '' ? reply : undefined;
  const choice = choices[reply.choice];
  return choice === undefined ? undefined : { choice };
}
