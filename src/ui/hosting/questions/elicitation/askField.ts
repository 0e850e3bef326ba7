import * as vscode from 'vscode';
import type {
  ChoicesField,
  FormField,
  FormValue,
  NumberField,
  TextField,
} from '../../../../hosting/answers/form.ts';
import {
  choicesProblem,
  numberOf,
  numberProblem,
  textProblem,
} from '../../../../hosting/answers/formProblems.ts';
import { oneLine } from '../../../untrustedText.ts';
import { answerOf, type Row } from '../quickInputs.ts';
import { type Frame, framed, replyOf } from './frame.ts';

/**
 * Undefined as a value: the user left an optional field empty. Undefined as a reply: the user closed the input.
 * With `isBack` they go back, and the value is kept.
 */
export type FieldReply = { value: FormValue | undefined; isBack?: boolean } | 'back' | 'decline' | undefined;

/** Asks for the value of a field. @param value shown at first. @throws CancelledError once the signal is aborted */
export function askField(
  field: FormField,
  value: FormValue | undefined,
  frame: Frame,
  signal: AbortSignal,
): Promise<FieldReply> {
  const { l10n } = vscode;
  const start = value === undefined ? '' : String(value);
  switch (field.type) {
    case 'text':
      return askTyped(field, start, frame, signal, {
        problem: (text) => textProblem(field, text, l10n),
        parse: (text) => text || undefined,
      });
    case 'number':
    case 'integer':
      return askTyped(field, start, frame, signal, {
        problem: (text) => numberProblem(field, text, l10n),
        parse: (text) => (text.trim() === '' ? undefined : numberOf(text)),
      });
    case 'choices':
      return askChoices(field, Array.isArray(value) ? value : [], frame, signal);
    default:
      return askChoice(field, value, frame, signal);
  }
}

interface Typed {
  problem(text: string): string | undefined;
  /** The value of a text without problems. */
  parse(text: string): FormValue | undefined;
}

function askTyped(
  field: TextField | NumberField,
  start: string,
  frame: Frame,
  signal: AbortSignal,
  { problem, parse }: Typed,
): Promise<FieldReply> {
  const input = vscode.window.createInputBox();
  const prompt = `${labelOf(field)} · ${vscode.l10n.t('The server reads what you enter: never enter passwords here.')}`;
  Object.assign(input, framed(frame), { prompt, placeholder: placeholderOf(field), value: start });
  const check = () => {
    const found = problem(input.value);
    // It covers the prompt, which names the field.
    input.validationMessage = found && oneLine(`${field.title}: ${found}`, 300);
    return found === undefined;
  };
  return answerOf<FieldReply>(input, signal, (answer) => [
    input.onDidChangeValue(check),
    input.onDidAccept(() => check() && answer({ value: parse(input.value) })),
    input.onDidTriggerButton((button) => {
      const reply = replyOf(button);
      answer(reply === 'back' && check() ? { value: parse(input.value), isBack: true } : reply);
    }),
  ]);
}

function askChoice(
  field: FormField,
  value: FormValue | undefined,
  frame: Frame,
  signal: AbortSignal,
): Promise<FieldReply> {
  const pick = vscode.window.createQuickPick<Row<FieldReply>>();
  const rows: Row<FieldReply>[] = [
    ...optionsOf(field).map((option) => ({ label: option.label, answer: { value: option.value } })),
    ...(field.isRequired ? [] : [{ label: vscode.l10n.t('No answer'), answer: { value: undefined } }]),
  ];
  const activeItems = rows.filter(({ answer }) => typeof answer === 'object' && answer.value === value);
  Object.assign(pick, framed(frame), { placeholder: labelOf(field), items: rows, activeItems });
  return answerOf<FieldReply>(pick, signal, (answer) => [
    pick.onDidAccept(() => pick.selectedItems[0] && answer(pick.selectedItems[0].answer)),
    pick.onDidTriggerButton((button) => answer(replyOf(button))),
  ]);
}

function askChoices(
  field: ChoicesField,
  chosen: readonly string[],
  frame: Frame,
  signal: AbortSignal,
): Promise<FieldReply> {
  const pick = vscode.window.createQuickPick<Row<string>>();
  const rows = field.options.map(({ value, title }) => ({ label: oneLine(title), answer: value }));
  Object.assign(pick, framed(frame), { placeholder: labelOf(field), canSelectMany: true, items: rows });
  pick.selectedItems = rows.filter(({ answer }) => chosen.includes(answer));
  return answerOf<FieldReply>(pick, signal, (answer) => [
    pick.onDidAccept(() => {
      const values = pick.selectedItems.flatMap((row) => row.answer ?? []);
      const problem = choicesProblem(field, values.length, vscode.l10n);
      // A list has no place for errors.
      if (problem) Object.assign(pick, { value: '', placeholder: problem });
      else answer({ value: values.length > 0 || field.isRequired ? values : undefined });
    }),
    pick.onDidTriggerButton((button) => answer(replyOf(button))),
  ]);
}

/** What the user can choose, with the labels of the choices. */
function optionsOf(field: FormField): { value: FormValue; label: string }[] {
  if ('options' in field) return field.options.map(({ value, title }) => ({ value, label: oneLine(title) }));
  return [
    { value: true, label: vscode.l10n.t('Yes') },
    { value: false, label: vscode.l10n.t('No') },
  ];
}

/** A value as the user chose it. */
export function shownValue(field: FormField, value: FormValue | undefined): string {
  if (value === undefined) return vscode.l10n.t('No answer');
  if (field.type === 'text') return oneLine(String(value));
  if (field.type === 'number' || field.type === 'integer') return String(value);
  const chosen = Array.isArray(value) ? value : [value];
  const options = optionsOf(field).filter((option) => chosen.some((one) => one === option.value));
  return options.map(({ label }) => label).join(', ');
}

const labelOf = ({ title, description }: FormField): string =>
  oneLine(description ? `${title}: ${description}` : title, 300);

const placeholderOf = ({ isRequired }: FormField): string =>
  isRequired ? '' : vscode.l10n.t('Optional: leave it empty to skip it');
