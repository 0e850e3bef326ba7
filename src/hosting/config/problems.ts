import type * as vscode from 'vscode';
import type { z } from 'zod';

export type L10n = Pick<typeof vscode.l10n, 't'>;

export interface DefinitionProblem {
  /** The way from the definition to the field; empty for the whole definition. */
  path: readonly PropertyKey[];
  /** What is wrong with it, without the name of the field. Has no values, because they may be secret. */
  message: string;
}

/** `args[0]`, `env.TOKEN`. */
export const fieldName = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

/** What zod found, in the user's language. @param value that zod has checked */
export const definitionProblems = (
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  l10n: L10n,
): DefinitionProblem[] =>
  issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key], message: l10n.t('unknown field') }))
      : [{ path: issue.path, message: messageOf(issue, valueAt(value, issue.path) === undefined, l10n) }],
  );

function messageOf(issue: z.core.$ZodIssue, isMissing: boolean, l10n: L10n): string {
  if (isMissing) return l10n.t('missing');
  switch (issue.code) {
    case 'invalid_type':
      return l10n.t('must be of type {0}', issue.expected === 'record' ? 'object' : issue.expected);
    case 'invalid_union': // only the values of `env`
      return l10n.t('must be of type {0}', 'string | number | null');
    case 'invalid_value':
      return l10n.t('must be one of: {0}', issue.values.map((one) => JSON.stringify(one)).join(', '));
    case 'too_small':
      return l10n.t('must not be empty');
    default:
      return issue.message;
  }
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Partial<Record<PropertyKey, unknown>>)?.[key], value);

/** Our own shim as a server would start itself without end. */
export const ownShimText = (l10n: L10n): string =>
  l10n.t('this is Workspace MCP itself, which cannot be one of its own servers. Remove it.');
