import * as vscode from 'vscode';
import type { FormAnswer } from '../../../../hosting/answers/elicitation.ts';
import type { FormField, FormValue } from '../../../../hosting/answers/form.ts';
import { oneLine, quoted } from '../../../untrustedText.ts';
import { decide } from '../quickInputs.ts';
import { askField, type FieldReply, shownValue } from './askField.ts';
import { type Frame, framed, replyOf } from './frame.ts';

interface Form {
  server: string;
  title: string;
  fields: readonly FormField[];
  values: Map<FormField, FormValue | undefined>;
}

/**
 * Asks for the fields one after the other, then shows all answers before they are sent. Closing an input cancels the form.
 *
 * @throws CancelledError once the signal is aborted
 */
export async function askForm(
  server: string,
  title: string,
  fields: readonly FormField[],
  signal: AbortSignal,
): Promise<FormAnswer> {
  const values = new Map(fields.map((field) => [field, field.default]));
  let isReviewed = false;
  for (let step = 0; ; ) {
    const field = fields[step];
    isReviewed ||= field === undefined;
    const reply = await askStep({ server, title, fields, values }, step, signal);
    if (reply === undefined) return { action: 'cancel' };
    if (reply === 'decline') return { action: 'decline' };
    if (reply === 'send') return { action: 'accept', content: contentOf(values) };
    if (reply === 'back') step--;
    else if (field && 'value' in reply) {
      values.set(field, reply.value);
      const next = isReviewed ? fields.length : step + 1; // a corrected answer leads back to the review
      step = reply.isBack ? step - 1 : next;
    } else step = fields.indexOf(reply as FormField);
  }
}

/** @param step 0-based; after the last field comes the review */
function askStep(
  form: Form,
  step: number,
  signal: AbortSignal,
): Promise<FieldReply | ReviewReply | undefined> {
  const { title, fields, values } = form;
  const frame = { title, step: step + 1, totalSteps: fields.length + 1 };
  const field = fields[step];
  return field ? askField(field, values.get(field), frame, signal) : review(form, frame, signal);
}

/** A field to correct, or what to do with all. */
type ReviewReply = FormField | 'send' | 'back' | 'decline';

function review(
  { server, values }: Form,
  frame: Frame,
  signal: AbortSignal,
): Promise<ReviewReply | undefined> {
  const { l10n, QuickPickItemKind } = vscode;
  const rows = [...values].map(([field, value]) => ({
    label: oneLine(field.title),
    description: shownValue(field, value),
    answer: field,
  }));
  const decision = {
    ...framed(frame),
    onButton: replyOf,
    placeholder: l10n.t('Check your answers, then send them'),
    rows: [
      { label: `$(check) ${l10n.t('Send to {0}', quoted(server, 40))}`, answer: 'send' as const },
      { label: `$(circle-slash) ${l10n.t('Decline')}`, answer: 'decline' as const },
      { label: l10n.t('Your answers'), kind: QuickPickItemKind.Separator },
      ...rows,
    ],
  };
  return decide<ReviewReply>(decision, signal);
}

const contentOf = (values: Form['values']): Record<string, FormValue> =>
  Object.fromEntries(
    [...values].flatMap(([{ name }, value]) => (value === undefined ? [] : [[name, value]])),
  );
