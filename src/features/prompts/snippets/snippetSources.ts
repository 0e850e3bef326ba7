import { posix } from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import type * as vscode from 'vscode';
import { type Fields, fieldsOf, itemsOf } from '../../../core/json.ts';
import { inSlices } from '../../../util/queues.ts';
import type { Context } from '../../context.ts';
import {
  type PromptEntry,
  type PromptSource,
  profileSource,
  promptsInFiles,
  workspaceSource,
} from '../promptSource.ts';
import { type SnippetText, snippetEntry } from './snippetEntry.ts';

/** The snippets in `.vscode/*.code-snippets` of all folders. */
export const workspaceSnippets = workspaceSource(
  'workspaceSnippets',
  '.code-snippets',
  () => ['.vscode'],
  (uri, text, ctx) => snippetsIn({ uri, text }, ctx),
);

/** The user's own snippets: `*.code-snippets`, and for each language a file such as `typescript.json`. */
export const userSnippets = profileSource(
  'userSnippets',
  'snippets',
  /\.(code-snippets|json)$/,
  (uri, text, ctx) => {
    const [, language] = /^(.*)\.json$/.exec(posix.basename(uri.path)) ?? [];
    return snippetsIn({ uri, text, ...(language && { languages: [language] }) }, ctx);
  },
);

/** The snippets that extensions contribute. */
export const extensionSnippets: PromptSource = {
  kind: 'extensionSnippets',
  load(ctx) {
    const { extensions, Uri } = ctx.vscode;
    const files = new Map(extensions.all.flatMap((extension) => [...filesOf(extension, ctx.vscode)]));
    const uris = [...files.keys()].map((spelled) => Uri.parse(spelled)).filter((uri) => isOpen(uri, ctx));
    const promptsIn = (uri: vscode.Uri, text: string) => {
      const languages = files.get(`${uri}`) ?? [];
      return snippetsIn({ uri, text, isForeign: true, ...(languages.length > 0 && { languages }) }, ctx);
    };
    return promptsInFiles(uris, promptsIn, ctx);
  },
  watch: (ctx, onChange) => ctx.vscode.extensions.onDidChange(onChange),
};

/** A workspace may have extensions of its own, in `.vscode/extensions`. */
const isOpen = (uri: vscode.Uri, { vscode: { workspace }, files }: Context): boolean =>
  !workspace.getWorkspaceFolder(uri) || files.mayKnow(uri);

/** The languages of each file of snippets inside the extension, by its URI: several languages may share a file. */
function filesOf(
  { extensionUri, packageJSON }: Pick<vscode.Extension<unknown>, 'extensionUri' | 'packageJSON'>,
  { Uri }: typeof vscode,
): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const one of itemsOf(fieldsOf(fieldsOf(packageJSON).contributes).snippets)) {
    const { path, language } = fieldsOf(one);
    const uri = Uri.joinPath(extensionUri, `${path}`);
    if (!uri.path.startsWith(`${extensionUri.path}/`)) continue;
    const languages = files.get(`${uri}`) ?? [];
    files.set(`${uri}`, [...languages, ...(typeof language === 'string' ? [language] : [])]);
  }
  return files;
}

interface SnippetFile {
  uri: vscode.Uri;
  text: string;
  /** The languages of all its snippets; without it each has its own scope. */
  languages?: readonly string[];
  /** Mistakes in it do not become problems: the user cannot correct it. */
  isForeign?: boolean;
}

/** The snippets of a file, in its order. A mistake in its syntax becomes a problem of the file. */
async function snippetsIn({ uri, text, languages, isForeign }: SnippetFile, ctx: Context) {
  const errors: ParseError[] = [];
  const all = parse(text, errors, { allowTrailingComma: true });
  const { l10n } = ctx.vscode;
  const problems = errors.slice(0, 1).map(({ offset, length }) => ({
    message: l10n.t('Snippets of this file may be missing from agents: this is not JSON.'),
    offset,
    length,
  }));
  if (!isForeign) ctx.promptProblems.set(uri, text, problems);
  const found: PromptEntry[] = [];
  const visit = ([title, raw]: [string, Fields]) => {
    const snippet = snippetOf(title, raw, languages, ctx);
    if (snippet) found.push({ ...snippetEntry(snippet, ctx), file: uri });
  };
  await inSlices(namedSnippets(fieldsOf(all)), visit, new AbortController().signal);
  return found;
}

/** By name. As in VS Code, a field without a body may be a group of snippets. */
const namedSnippets = (all: Fields): [title: string, raw: Fields][] =>
  Object.entries(all).flatMap(([title, value]): [string, Fields][] => {
    const raw = fieldsOf(value);
    return raw.body ? [[title, raw]] : Object.entries(raw).map(([name, inner]) => [name, fieldsOf(inner)]);
  });

/** A pattern that all files match. */
const ALL = /^\*{1,2}(\/\*{1,2})?$/;

/** Undefined if it is none, or for no file. */
function snippetOf(
  title: string,
  raw: Fields,
  languages: readonly string[] | undefined,
  { vscode: { l10n }, files }: Context,
): SnippetText | undefined {
  const body = textOf(raw.body);
  const [include, exclude] = [patternsIn(raw.include), patternsIn(raw.exclude)];
  if (body === undefined || exclude.some((pattern) => ALL.test(pattern))) return undefined;
  const description = [
    textOf(raw.description),
    include.length > 0 && l10n.t('For files: {0}.', include.join(', ')),
    exclude.length > 0 && l10n.t('Not for files: {0}.', exclude.join(', ')),
  ]
    .filter(Boolean)
    .join(' ');
  const scope = typeof raw.scope === 'string' ? raw.scope.split(',').map((id) => id.trim()) : [];
  return {
    title,
    body: files.redactor.text(body), // though the file is redacted: JSON can spell a text in several ways
    languages: languages ?? scope.filter(Boolean),
    ...(description && { description }),
  };
}

/** The globs of the files that a snippet is for, or is not for: one, or several. */
const patternsIn = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string' && one.trim() !== '');

/** A string, or an array of lines. */
function textOf(value: unknown): string | undefined {
  const isLines = Array.isArray(value) && value.every((line) => typeof line === 'string');
  const text = isLines ? value.join('\n') : value;
  return typeof text === 'string' ? text.replace(/\r\n?/g, '\n') : undefined;
}
