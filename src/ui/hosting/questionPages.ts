import * as vscode from 'vscode';
import type { Asked } from '../../access/consent/types.ts';
import { looksSecret, namesSecret } from '../../access/redaction/secrets.ts';
import { cutText } from '../../core/text/cut.ts';
import { allVisible, allVisibleText } from '../../core/text/visible.ts';
import {
  type AskingServer,
  type Callers,
  type FormAnswer,
  type FormField,
  firstEntry,
  readEntry,
  type SamplingRequest,
} from '../../hosting/index.ts';
import { type AnswerReader, askedPage } from '../approvals/asked.ts';
import { type Form, type Note, type Page, type ShownField, timeOf } from '../approvals/page.ts';
import { namedAgent } from '../approvals/questionText.ts';
import { oneLine, quoted } from '../messages.ts';

const { l10n } = vscode;

/** The page on which the user decides whether a server may ask a language model; it shows the messages. */
export function samplingPage(
  asked: Asked,
  { server, callers }: AskingServer,
  { texts, model, maxTokens }: SamplingRequest,
): Page {
  return askedPage(asked, {
    heading: l10n.t('The MCP server {0} wants to ask a language model', quoted(server, 40)),
    from: callerText(callers),
    facts: l10n.t('{0}, a reply of at most {1} tokens', oneLine(model), maxTokens),
    // Each in a box of its own: no part of one can pass as the heading of another.
    detail: texts.map(allVisibleText),
    ends: l10n.t('If you do not answer by {0}, it is denied.', timeOf(asked)),
    form: buttonsOnly([
      [l10n.t('Allow Once'), l10n.t('Sends these messages to {0}.', quoted(model))],
      [
        l10n.t('Allow for this Server'),
        l10n.t('Does not ask again for this server until the window is reloaded.'),
      ],
      [l10n.t('Always Allow this Server'), l10n.t('Never asks again for this server.')],
      [l10n.t('Deny'), l10n.t('Sends nothing.')],
    ]),
  });
}

export function linkPage(asked: Asked, { server, callers }: AskingServer, url: URL): Page {
  const [name, host] = [quoted(server, 40), oneLine(url.host)];
  return askedPage(asked, {
    heading: l10n.t('The MCP server {0} asks you to open a page on {1}', name, host),
    from: callerText(callers),
    // The address first: a long message must not push it out of sight.
    detail: [allVisible(url.href), allVisibleText(asked.message)],
    warnings: [l10n.t('Continue only if you trust this server and this address.')],
    ends: endsText(asked),
    form: buttonsOnly([[l10n.t('Open Page')], [l10n.t('Decline')]]),
  });
}

/** Gives the answer of each button, in their order. @param closed the answer if the user closes the page */
export const chosen = <A, C = A>(answers: readonly A[], closed: C): AnswerReader<A | C> => ({
  take: (reply) => ('entries' in reply ? answers[reply.button ?? -1] : undefined),
  closed,
});

const endsText = (asked: Asked): string =>
  l10n.t('If you do not answer by {0}, the server gets no answer.', timeOf(asked));

function callerText({ agents }: Callers): string {
  const names = agents.map(
    (one) => namedAgent(one) + (one.directory === undefined ? '' : ` (${oneLine(one.directory)})`),
  );
  if (names.length === 0) return l10n.t('No agent waits for the answer.');
  return names.length === 1
    ? l10n.t('It asks during a call of {0}.', names.join(''))
    : l10n.t('It asks during a call of one of these agents: {0}', names.join(', '));
}

/** The last one refuses. */
const buttonsOnly = (buttons: readonly (readonly [label: string, tip?: string])[]): Form => ({
  fields: [],
  buttons: buttons.map(([label, tip], index) => ({
    label,
    refuses: index === buttons.length - 1,
    ...(tip && { tip }),
  })),
  required: '',
  none: '',
  choose: '',
});

/** Most characters of a description. */
const DESCRIPTION_LENGTH = 1_000;

/** Characters that a text may have at least for a field of several lines. */
const LONG_LENGTH = 200;

/** The indexes of the buttons. */
const [SEND, DECLINE] = [0, 1];

const PLACEHOLDERS: Record<string, string> = {
  email: 'name@example.com',
  uri: 'https://example.com/',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:30:00Z',
};

export function formPage(
  asked: Asked,
  { server, callers }: AskingServer,
  fields: readonly FormField[],
): Page {
  const reads = l10n.t('The server reads what you enter: never enter passwords here.');
  return askedPage(asked, {
    heading: l10n.t('A question from the MCP server {0}', quoted(server, 40)),
    from: [callerText(callers), ...(fields.length > 0 ? [reads] : [])].join(' '),
    detail: [allVisibleText(asked.message)],
    ends: endsText(asked),
    form: {
      fields: fields.map(shownField),
      buttons: [
        { label: l10n.t('Send'), tip: l10n.t('Sends your answers to {0}.', quoted(server, 40)) },
        { label: l10n.t('Decline'), tip: l10n.t('Sends nothing.'), refuses: true },
      ],
      required: l10n.t('required'),
      none: l10n.t('No answer'),
      choose: l10n.t('Choose…'),
    },
    notes: notesOn(server, fields, fields.map(firstEntry)),
  });
}

export const formReader = (server: string, fields: readonly FormField[]): AnswerReader<FormAnswer> => ({
  take(reply, report) {
    if (!('entries' in reply)) return undefined;
    const { entries, button } = reply;
    if (button === DECLINE) return { action: 'decline' };
    const values = fields.flatMap((field, index) => {
      const read = readEntry(field, entries[index], vscode.l10n);
      return 'problem' in read ? [] : [[field.name, read.value] as const];
    });
    if (button === SEND && values.length === fields.length) {
      const given = values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
      return { action: 'accept', content: Object.fromEntries(given) };
    }
    report(notesOn(server, fields, entries));
    return undefined;
  },
  closed: { action: 'cancel' },
});

function shownField(field: FormField): ShownField {
  const { type, title, description, isRequired } = field;
  const entry = firstEntry(field);
  const isLong = type === 'text' && ((field.maxLength ?? 0) > LONG_LENGTH || `${entry}`.includes('\n'));
  return {
    type,
    isRequired,
    isLong,
    entry,
    label: oneLine(title),
    description: allVisibleText(cutText(description, DESCRIPTION_LENGTH)),
    placeholder: (type === 'text' && PLACEHOLDERS[field.format ?? '']) || '',
    options: 'options' in field ? field.options.map((option) => oneLine(option.title)) : [],
  };
}

const notesOn = (server: string, fields: readonly FormField[], entries: readonly unknown[]): Note[] =>
  fields.map((field, index) => {
    const read = readEntry(field, entries[index], vscode.l10n);
    return {
      problem: 'problem' in read ? oneLine(read.problem, 300) : '',
      warning: warningOn(server, field, entries[index]),
    };
  });

/** A form must not ask for secrets (MCP 2025-11-25, client/elicitation). */
function warningOn(server: string, field: FormField, entry: unknown): string {
  const name = quoted(server, 40);
  if (field.type !== 'text') return '';
  if (looksSecret(String(entry).trim())) return l10n.t('This looks like a secret. {0} would get it.', name);
  return namesSecret(field.name) || namesSecret(field.title)
    ? l10n.t('This asks for a secret, which no server may do in a form. {0} would get it.', name)
    : '';
}
