import { type ParseError, parse } from 'jsonc-parser';
import { type Fields, fieldsOf } from '../../core/json.ts';
import type { Context } from '../context.ts';

/** One snippet of a `.vscode/*.code-snippets` file. */
export interface SnippetEntry {
  /** Its key in the file, chosen by the user. */
  title: string;
  /** Unique in the window: the title in lower case with `_` between words, to be typed as a slash command. */
  name: string;
  description?: string;
  body: string;
}

/** The snippets of all folders, sorted by name. An unreadable file is skipped; syntax errors are logged. */
export async function readSnippets({ files, log }: Context): Promise<SnippetEntry[]> {
  const found: SnippetEntry[] = [];
  const taken = new Set<string>();
  for (const folder of files.folders()) {
    for (const location of await files.inFolder(folder, '.vscode', '.code-snippets')) {
      const content = await files.read(location).catch(() => undefined);
      if (content?.kind !== 'text') continue;
      const errors: ParseError[] = [];
      const snippets = parse(content.text, errors, { allowTrailingComma: true });
      if (errors.length > 0)
        log.warn(`${location.path} has ${errors.length} syntax errors: some snippets may be missing`);
      for (const [title, raw] of Object.entries(fieldsOf(snippets))) {
        const snippet = snippetOf(title, fieldsOf(raw), taken, (text) => files.redactor.text(text));
        if (snippet) found.push(snippet);
      }
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @param redacted needed although the file is redacted: JSON can spell a text in several ways */
function snippetOf(
  title: string,
  raw: Fields,
  taken: Set<string>,
  redacted: (text: string) => string,
): SnippetEntry | undefined {
  const body = textOf(raw.body);
  if (body === undefined) return undefined;
  const description = textOf(raw.description);
  return {
    title: redacted(title),
    name: nameOf(redacted(title), taken),
    body: redacted(body),
    ...(description && { description: redacted(description) }),
  };
}

/** A string, or an array of lines. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((line) => typeof line === 'string')
    ? value.join('\n')
    : undefined;
}

/** Keeps letters of all scripts, so that Chinese titles get distinct names. */
function nameOf(title: string, taken: Set<string>): string {
  const base =
    title
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 100) || 'snippet';
  let name = base;
  for (let count = 2; taken.has(name); count++) name = `${base}_${count}`;
  taken.add(name);
  return name;
}
