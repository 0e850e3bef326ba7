import type * as vscode from 'vscode';
import { type ServerDiagnostic, TSSERVER_REQUEST } from '../../tsserver/commands.ts';
import { unlessAborted } from '../../util/clock.ts';
import { oncePer } from '../../util/once.ts';
import type { Files } from '../../workspace/files.ts';
import type { Location } from '../../workspace/read/location.ts';
import { isSwitchedOff, isTypeScript, TYPESCRIPT } from './checkers.ts';

/**
 * The problems of a TypeScript or JavaScript document's current text. VS Code's TypeScript extension reports some time after a
 * change, only for open tabs, and never for a clean text; but other extensions can query its server.
 *
 * @returns undefined if checks are disabled, or the extension does not answer
 */
export async function askTypeScript(
  code: typeof vscode,
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<vscode.Diagnostic[] | undefined> {
  if (isSwitchedOff(code, document)) return undefined;
  const ask = async (kind: string): Promise<ServerDiagnostic[]> => {
    const request = code.commands.executeCommand<{ body: ServerDiagnostic[] }>(
      TSSERVER_REQUEST,
      `${kind}DiagnosticsSync`,
      { file: document.uri },
    );
    return (await request).body;
  };
  try {
    const kinds = Promise.all(['syntactic', 'semantic', 'suggestion'].map(ask));
    return (await unlessAborted(kinds, signal))?.flat().map((diagnostic) => toDiagnostic(code, diagnostic));
  } catch {
    return undefined; // the extension is missing or has another version
  }
}

/**
 * Waits until TypeScript has loaded the project of a document. Until then, its extension answers from the document alone. Only
 * diagnostics are always answered by the server that knows the project; syntactic ones are the cheapest.
 */
export async function projectLoaded(
  { commands }: typeof vscode,
  { languageId, uri }: vscode.TextDocument,
): Promise<true> {
  const request = [TSSERVER_REQUEST, 'syntacticDiagnosticsSync', { file: uri }] as const;
  // The extension may be missing, or have another version.
  if (isTypeScript(languageId)) await Promise.resolve(commands.executeCommand(...request)).catch(() => {});
  return true;
}

export function toDiagnostic(
  { Diagnostic, DiagnosticSeverity, Range }: typeof vscode,
  from: ServerDiagnostic,
) {
  const { start, end, text, category } = from;
  const severity = {
    error: DiagnosticSeverity.Error,
    warning: DiagnosticSeverity.Warning,
    suggestion: DiagnosticSeverity.Hint,
    message: DiagnosticSeverity.Information,
  }[category];
  const range = new Range(start.line - 1, start.offset - 1, end.line - 1, end.offset - 1);
  const diagnostic = new Diagnostic(range, text, severity);
  diagnostic.source = TYPESCRIPT;
  if (from.code !== undefined) diagnostic.code = from.code;
  return diagnostic;
}

/** Changes before that are known to it, in milliseconds. */
const RECENT = 60_000;
/** How long it may take to notice the new text of a file that no editor has, in milliseconds. */
const NOTICED = 2_000;
const MOST_SPECIFIERS = 100;

/** Codes of "Cannot find module" and its kin. */
const NOT_FOUND = new Set([2307, 2792, 7016]);
/** "File '…' is not listed within the file list of project": the project was read before the file came, or went. */
const NOT_LISTED = 6307;

const SPECIFIER = /\b(from|import|require)\s*\(?\s*(['"])([^'"\n]+)\2/g;
/** Files that have no symbols for TypeScript, which says nothing of styles that are missing. */
const ASSET =
  /\.(css|scss|sass|less|styl|pcss|svg|png|jpe?g|gif|webp|avif|ico|bmp|mp[34]|webm|woff2?|ttf|otf|eot|wasm|json5?|ya?ml|toml|txt|md|mdx|html?|vue|svelte|astro|glsl|vert|frag|graphql|gql|pdf)$/i;
export const isAsset = (specifier: string): boolean => ASSET.test(specifier);
const ENDINGS = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];

type Scope = Pick<typeof vscode, 'Uri' | 'workspace'>;

/** Whether an answer about a document does not know what a shell has just made, removed or changed. @param now milliseconds since the epoch */
export async function isOutdated(
  location: Location,
  answer: readonly vscode.Diagnostic[],
  files: Files,
  code: Scope,
  now = Date.now(),
): Promise<boolean> {
  const isTyped = /\.[mc]?tsx?$/.test(location.uri.path);
  const specifiers = await specifiersIn(location, files);
  const looks = [...specifiers].slice(0, MOST_SPECIFIERS).map(async ([specifier, how]) => {
    const isMissed = answer.some((one) => isMissedBy(one, specifier));
    const isUnlisted = answer.some((one) => isUnlistedBy(one, specifier));
    const state = await stateOf(specifier, location.uri, files, code);
    const isNew = now - Math.max(state.changedAt, state.cameAt) < RECENT;
    if (isUnlisted || (state.isThere && isMissed)) return isNew;
    if (!state.isThere && !isMissed) return isNew && isTyped && how === 'from' && !isAsset(specifier);
    return state.isThere && !state.isOpen && now - state.changedAt < NOTICED;
  });
  return (await Promise.all(looks)).includes(true);
}

/** How a text imports what, by specifier: kept while a document has the same text. */
async function specifiersIn(location: Location, files: Files): Promise<ReadonlyMap<string, string>> {
  const document = files.openDocument(location);
  const last = document && lastSpecifiers(document);
  const version = document?.version;
  if (last?.found && last.version === version) return last.found;
  const content = await files.read(location).catch(() => undefined);
  if (!content) return new Map();
  const text = content.kind === 'text' ? content.text : '';
  const found = new Map([...text.matchAll(SPECIFIER)].map(([, how = '', , name = '']) => [name, how]));
  if (last) Object.assign(last, { version, found });
  return found;
}

const lastSpecifiers = oncePer(
  (_: vscode.TextDocument): { version?: number; found?: ReadonlyMap<string, string> } => ({}),
);

const isMissedBy = ({ code, message }: vscode.Diagnostic, specifier: string): boolean =>
  NOT_FOUND.has(Number(code)) && message.includes(`'${specifier}'`);

function isUnlistedBy({ code, message }: vscode.Diagnostic, specifier: string): boolean {
  const stem = specifier.replace(/\.[mc]?[jt]sx?$/, '').replace(/^.*\//, '');
  return Number(code) === NOT_LISTED && message.includes(`/${stem}.`);
}

interface ImportState {
  isThere: boolean;
  /** Milliseconds since the epoch; of what is missing, when its folder changed. */
  changedAt: number;
  /** When its folder changed, in milliseconds since the epoch: a file that was moved there keeps its own time. */
  cameAt: number;
  isOpen: boolean;
}

/** The file of a relative import: `new` if it is a script that the server may not have noticed yet. */
export async function importState(
  specifier: string,
  from: vscode.Uri,
  files: Files,
  code: Scope,
): Promise<'missing' | 'new' | 'there'> {
  const { isThere, cameAt } = await stateOf(specifier, from, files, code);
  if (!isThere) return 'missing';
  return Date.now() - cameAt < RECENT ? 'new' : 'there';
}

async function stateOf(specifier: string, from: vscode.Uri, files: Files, code: Scope): Promise<ImportState> {
  const isRelative = /^\.{1,2}(\/|$)/.test(specifier);
  const folders = isRelative ? [code.Uri.joinPath(from, '..')] : packageFolders(from, code);
  for (const folder of folders) {
    const found = await firstThere(
      isRelative ? candidates(specifier) : [packageOf(specifier)],
      folder,
      files,
      code,
    );
    if (found) return { isThere: true, ...found };
  }
  if (!isRelative) return { isThere: false, changedAt: 0, cameAt: 0, isOpen: false };
  const cameAt = await changedAt(code.Uri.joinPath(from, '..', specifier, '..'), files);
  return { isThere: false, changedAt: cameAt, cameAt, isOpen: false };
}

async function firstThere(names: readonly string[], folder: vscode.Uri, files: Files, code: Scope) {
  for (const name of names) {
    const uri = code.Uri.joinPath(folder, name);
    const stat = await files.stat({ uri });
    if (!stat || (stat.isFolder && names.length > 1)) continue;
    const isOpen = code.workspace.textDocuments.some((one) => !one.isClosed && `${one.uri}` === `${uri}`);
    const cameAt = await changedAt(code.Uri.joinPath(uri, '..'), files);
    return { changedAt: stat.modifiedAt.getTime(), cameAt, isOpen };
  }
  return undefined;
}

const changedAt = async (uri: vscode.Uri, files: Files): Promise<number> =>
  (await files.stat({ uri }))?.modifiedAt.getTime() ?? 0;

/** A specifier may name the file that will be built: `./a.js` is `./a.ts`. */
function candidates(specifier: string): string[] {
  const bare = specifier.replace(/\.([mc]?)jsx?$/, '');
  const names = [specifier, bare].flatMap((name) => [name, ...ENDINGS.map((ending) => name + ending)]);
  return [...new Set([...names, ...ENDINGS.map((ending) => `${specifier}/index${ending}`)])];
}

const packageOf = (specifier: string): string => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

/** Each `node_modules` above a file, in its workspace folder. */
function packageFolders(from: vscode.Uri, { Uri, workspace }: Scope): vscode.Uri[] {
  const top = workspace.getWorkspaceFolder(from)?.uri.path;
  const found: vscode.Uri[] = [];
  for (
    let at = Uri.joinPath(from, '..');
    top !== undefined && at.path.startsWith(top);
    at = Uri.joinPath(at, '..')
  ) {
    found.push(Uri.joinPath(at, 'node_modules'));
    if (at.path === top) break;
  }
  return found;
}
