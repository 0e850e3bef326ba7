import { UserError } from '../../../core/errors.ts';
import { fieldName, type L10n } from '../problems.ts';
import { expand, type Syntax, type Values } from './variables.ts';

/** Replaces the variables of one field. @throws UserError that names the field, and has no value of any variable */
export type Fill = (path: readonly PropertyKey[], text: string) => string;

export const filler =
  (syntax: Syntax, values: Values, l10n: L10n): Fill =>
  (path, text) =>
    inField(path, () => withoutNull(expand(text, syntax, values, l10n), l10n));

/** Names the field in errors. */
export function inField<T>(path: readonly PropertyKey[], action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof UserError ? new UserError(`${fieldName(path)}: ${error.message}`) : error;
  }
}

/** @throws UserError for a text that no process can be given; Node's own error would quote it */
export function withoutNull(text: string, l10n: L10n): string {
  if (text.includes('\0')) throw new UserError(l10n.t('must not contain a null character'));
  return text;
}
