import { attempt } from '../../core/errors.ts';
import { bounded } from '../../util/runBounded.ts';
import type { L10n } from '../config/problems.ts';
import type { ChoicesField, FormField, FormValue, NumberField, TextField } from './form.ts';

/** What a field of a form has: the text as typed, whether its box is checked, or the indexes of the chosen options. */
export type FormEntry = string | boolean | number[];

/** What it has at first. */
export function firstEntry(field: FormField): FormEntry {
  const { type, default: value } = field;
  if (type === 'boolean') return value === true;
  if ('options' in field) {
    const chosen = Array.isArray(value) ? value : [value];
    return field.options.flatMap((option, index) => (chosen.includes(option.value) ? [index] : []));
  }
  return value === undefined ? '' : String(value);
}

/** Its value, undefined if the user left it empty; or what is wrong with it, for the user. An entry of another kind counts as empty. */
export function readEntry(
  field: FormField,
  entry: unknown,
  l10n: L10n,
): { value: FormValue | undefined } | { problem: string } {
  const text = typeof entry === 'string' ? entry : '';
  switch (field.type) {
    case 'boolean':
      return { value: entry === true };
    case 'text':
      return read(textProblem(field, text, l10n), text || undefined);
    case 'number':
    case 'integer':
      return read(numberProblem(field, text, l10n), text.trim() === '' ? undefined : numberOf(text));
    case 'choice': {
      const [value] = chosenOf(field.options, entry);
      const isMissing = field.isRequired && value === undefined;
      return read(isMissing ? l10n.t('An answer is required.') : undefined, value);
    }
    case 'choices': {
      const chosen = chosenOf(field.options, entry);
      const isEmpty = chosen.length === 0 && !field.isRequired;
      return read(choicesProblem(field, chosen.length, l10n), isEmpty ? undefined : chosen);
    }
  }
}

const read = (problem: string | undefined, value: FormValue | undefined) =>
  problem === undefined ? { value } : { problem };

const chosenOf = (options: readonly { value: string }[], entry: unknown): string[] =>
  Array.isArray(entry) ? options.flatMap(({ value }, index) => (entry.includes(index) ? value : [])) : [];

/** Milliseconds for a server's regular expression: it may never end. */
const PATTERN_TIME_MS = 100;
/** How many of a form may take longer: all are run again with each key, and nothing else meanwhile. */
const MOST_SLOW_PATTERNS = 10;

/** What is wrong with the typed text, for the user; undefined if nothing is. */
function textProblem(field: TextField, text: string, l10n: L10n): string | undefined {
  const { isRequired, minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, slow, format } = field;
  if (text === '') return isRequired ? l10n.t('An answer is required.') : undefined;
  const { length } = [...text];
  if (length < minLength) return l10n.t('Characters: at least {0}.', minLength);
  if (length > maxLength) return l10n.t('Characters: at most {0}.', maxLength);
  const isMatch = pattern === undefined || fits(text, pattern, slow);
  return formatProblem(text, format, l10n) ?? (isMatch ? undefined : l10n.t('It must match {0}.', pattern));
}

/** What is wrong with the typed number. */
function numberProblem(field: NumberField, text: string, l10n: L10n): string | undefined {
  const { type, isRequired, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = field;
  if (text.trim() === '') return isRequired ? l10n.t('An answer is required.') : undefined;
  const value = numberOf(text);
  if (!Number.isFinite(value)) return l10n.t('It must be a number, such as 1.5.');
  if (type === 'integer' && !Number.isInteger(value)) return l10n.t('It must be a whole number.');
  if (value < minimum) return l10n.t('At least {0}.', minimum);
  return value > maximum ? l10n.t('At most {0}.', maximum) : undefined;
}

/** NaN for any text that is not a decimal number. */
const numberOf = (text: string): number =>
  /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;

/** What is wrong with the number of chosen values. */
function choicesProblem(
  { isRequired, minItems = isRequired ? 1 : 0, maxItems = Number.POSITIVE_INFINITY }: ChoicesField,
  chosen: number,
  l10n: L10n,
): string | undefined {
  if (chosen === 0 && !isRequired) return undefined;
  if (chosen < minItems) return l10n.t('Choose at least {0}.', minItems);
  return chosen > maxItems ? l10n.t('Choose at most {0}.', maxItems) : undefined;
}

/** Only a date of the calendar stays the same. */
const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text);

/** Unknown formats are only annotations. */
function formatProblem(text: string, format: string | undefined, l10n: L10n): string | undefined {
  const email = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/;
  if (format === 'email' && !email.test(text)) return l10n.t('It must be an email address.');
  if (format === 'uri' && !URL.canParse(text))
    return l10n.t('It must be an address, such as https://example.com/.');
  if (format === 'date' && !isDate(text)) return l10n.t('It must be a date, such as 2026-01-31.');
  const time = /^[-\d]+T([01]\d|2[0-3]):[0-5]\d:[0-6]\d(\.\d+)?(Z|[-+]\d\d:\d\d)$/i;
  if (format === 'date-time' && !(isDate(text.slice(0, 10)) && time.test(text)))
    return l10n.t('It must be a date and time, such as 2026-01-31T09:30:00Z.');
  return undefined;
}

/** A broken or endless pattern is left to the server, which checks the answer too. */
function fits(text: string, pattern: string, slow = { patterns: 0 }): boolean {
  const expression = attempt(() => new RegExp(pattern, 'u'));
  if (!expression || slow.patterns === MOST_SLOW_PATTERNS) return true;
  try {
    return bounded(() => expression.test(text), PATTERN_TIME_MS);
  } catch {
    slow.patterns++;
    return true;
  }
}
