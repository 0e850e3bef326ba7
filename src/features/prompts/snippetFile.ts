import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import type * as vscode from 'vscode';
import { type Fields, fieldsOf } from '../../core/json.ts';
import type { Context } from '../context.ts';
import type { PromptEntry } from './promptSource.ts';
import { type SnippetText, snippetEntry } from './snippetEntry.ts';

/** The snippets of a file, in its order. Mistakes in its syntax become problems of the file. */
export function snippetsIn(uri: vscode.Uri, text: string, ctx: Context): PromptEntry[] {
  const errors: ParseError[] = [];
  const all = parse(text, errors, { allowTrailingComma: true });
  const { l10n } = ctx.vscode;
  const problems = errors.slice(0, 1).map(({ error, ...place }) => ({
    message: l10n.t('Snippets of this file may be missing from agents: {0}.', printParseErrorCode(error)),
    ...place,
  }));
  ctx.promptProblems.set(uri, text, problems);
  const redacted = (part: string) => ctx.files.redactor.text(part);
  return Object.entries(fieldsOf(all)).flatMap(([title, raw]) => {
    const snippet = snippetOf(title, fieldsOf(raw), redacted);
    const entry = snippet && snippetEntry(snippet, ctx.log);
    return entry ? { ...entry, file: uri } : [];
  });
}

/** @param redacted needed although the file is redacted: JSON can spell a text in several ways */
function snippetOf(title: string, raw: Fields, redacted: (text: string) => string): SnippetText | undefined {
  const body = textOf(raw.body);
  if (body === undefined) return undefined;
  const description = textOf(raw.description);
  return { title, body: redacted(body), ...(description && { description }) };
}

/** A string, or an array of lines. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((line) => typeof line === 'string')
    ? value.join('\n')
    : undefined;
}
