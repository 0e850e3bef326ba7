import type * as vscode from 'vscode';
import { UserError } from '../../../core/errors.ts';
import { bareName, lastName } from '../../../core/symbolPaths.ts';
import { fitting } from '../../../core/text/cut.ts';
import type { EditEntries } from '../../../lsp/conversions.ts';
import type { Files } from '../../../workspace/files.ts';
import type { Location } from '../../../workspace/read/location.ts';
import type { Wanted } from '../providerCommands.ts';
import { editsByFile } from '../providerEdits.ts';
import { ProviderFailure } from '../providerFailure.ts';
import type { LanguageScope } from '../providers.ts';
import { isOfClosedFile } from '../symbols/declaration.ts';
import type { Item } from '../symbols/hierarchy.ts';
import { openResult, redactedResult, withoutDocumentation, withoutForeignWords } from './access.ts';
import { type Method, methodNamed } from './methods.ts';
import { Params } from './params.ts';

interface LspRequest {
  method: string;
  /** As LSP has them; URIs may be paths. */
  params: Record<string, unknown>;
  limit: number;
  /** Most UTF-16 units of a list as JSON; its first item may be longer. */
  maxCharacters: number;
}

interface LspAnswer {
  /** As LSP has it, redacted, without places in files that are closed to this agent. */
  result: unknown;
  /** Items that are left out: because of the limits, and because their places are closed. */
  more: number;
  closed: number;
  /** Why there are none, as a sentence. */
  why?: string;
  /** Why that there are none, or no more, is not known, as a sentence. */
  doubt?: string | undefined;
  /** Whether that is so for half a minute at most. */
  isIndexing?: boolean;
}

interface Asked {
  location: Location;
  document: vscode.TextDocument;
}

/**
 * Answers an LSP request with VS Code's commands. Nothing is changed.
 *
 * @throws UserError if there is no such method, the params are wrong, a server fails, or a rename concerns files that are closed to
 * this agent; NotFoundError, CancelledError
 */
export async function answerLsp(
  { method: name, params: values, limit, maxCharacters }: LspRequest,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<LspAnswer> {
  const { files, providers } = scope;
  const method = methodNamed(name);
  const params = new Params(values, limit, scope.vscode);
  const asked = await fileOf(method, params, files);
  // What is declared in a closed file is not told by its uses either.
  const isClosed =
    method.what === 'hovers' &&
    asked &&
    (await isOfClosedFile({ ...asked, position: params.place().start }, scope, signal));
  if (isClosed) return { result: null, more: 0, closed: 1 };
  const found = await ask(method, params, asked, scope, signal).catch((error) => {
    if (!(error instanceof ProviderFailure)) throw error;
    throw new UserError(`${name} failed: ${files.redactor.text(error.reason, asked?.location.path)}`);
  });
  const told = await withOpenEdits(method, found, files);
  const { conversions } = await import('../../../lsp/conversions.ts');
  const converted = conversions[method.as](told as never);
  const own = asked ? await withoutForeignWords(converted, asked.location, files) : converted;
  const isUndocumented = UNPLACED.test(method.what) && files.policy.closesFiles();
  const { open: all, closed } = await openResult(own, files);
  const open = isUndocumented ? withoutDocumentation(all) : all;
  const { first, more } = cut(open, limit, maxCharacters);
  const result = await redactedResult(first, asked?.location, params.place(), files);
  const isNone = closed === 0 && isEmpty(open);
  if (!asked) return { result, more, closed, ...(isNone && { why: NOT_LOADED, doubt: NOT_LOADED }) };
  const { document } = asked;
  const isIndexing = providers.isIndexing(method.what, document);
  const why = isNone ? providers.why(method.what, document) : undefined;
  const isLacking = isNone && providers.isLacking(method.what, document);
  // What VS Code answers itself says nothing of a server.
  const doubt = isNone || isIndexing ? providers.doubt(method.what, document) : undefined;
  return { result, more, closed, isIndexing, doubt: isLacking ? why : doubt, ...(why && { why }) };
}

const NOT_LOADED = 'There are none, or their projects are not loaded.';

/** Results that do not say where something is declared. */
const UNPLACED = /^(completions|signature help)$/;

async function fileOf({ about = 'textDocument' }: Method, params: Params, files: Files) {
  if (about === 'workspace') return undefined;
  const location = await files.locate(params.text(`${about}.uri`));
  return { location, document: await files.loadDocument(location) };
}

async function ask(
  { what, args, prepare, legend }: Method,
  params: Params,
  asked: Asked | undefined,
  { providers }: LanguageScope,
  signal: AbortSignal,
): Promise<unknown> {
  if (!asked) return nearestFirst(await providers.run(what, signal, ...args(params)), params.text('query'));
  const { document } = asked;
  const value = (what: Wanted) => providers.value<object>(what, document, signal, args(params, document.uri));
  if (legend) return { tokens: await value(what), legend: await value(legend) };
  if (!prepare) return value(what);
  const { start } = params.range('item.selectionRange');
  const items = await providers.ask<Item>(prepare, document, signal, start);
  const item = items.find(
    ({ uri, selectionRange }) =>
      `${uri}` === `${document.uri}` && selectionRange.start.compareTo(start) === 0,
  );
  if (!item)
    throw new UserError(`There is no such item in ${asked.location.path} now. Prepare the hierarchy again.`);
  return providers.run(what, signal, item);
}

/** Symbols of the exact name first, headings of documents last: VS Code has all of one extension before those of the next. */
function nearestFirst(found: readonly unknown[], query: string): vscode.SymbolInformation[] {
  const wanted = query.toLowerCase();
  const rank = ({ name }: vscode.SymbolInformation) => {
    if (/^#+ /.test(name)) return 3;
    if (name === query) return 0;
    return bareName(lastName(name)).toLowerCase() === wanted ? 1 : 2;
  };
  return (found as vscode.SymbolInformation[]).toSorted((a, b) => rank(a) - rank(b));
}

/**
 * With edits told as a whole or not at all: a code action is then disabled.
 *
 * @throws UserError if a rename is more than text of files that this agent may read
 */
async function withOpenEdits({ as }: Method, found: unknown, files: Files): Promise<unknown> {
  if (as === 'workspaceEdit') return found && openEdit(found as vscode.WorkspaceEdit, 'the rename', files);
  if (as !== 'codeActions') return found;
  const actions = (found ?? []) as vscode.CodeAction[];
  const open = async ({ edit, ...action }: vscode.CodeAction) => {
    if (!edit) return action;
    const told = await openEdit(edit, `"${action.title}"`, files).catch((error) => {
      if (!(error instanceof UserError)) throw error;
      return { disabled: { reason: error.message } };
    });
    return 'disabled' in told ? { ...action, ...told } : { ...action, edit: told };
  };
  return Promise.all(actions.map(open));
}

async function openEdit(edit: vscode.WorkspaceEdit, what: string, files: Files): Promise<EditEntries> {
  const byFile = await editsByFile(edit, what, files);
  return { entries: () => byFile.map(({ location, edits }) => [location.uri, [...edits]]) };
}

/** Numbers of a semantic token. */
const NUMBERS = 5;

interface Lists {
  items?: unknown[];
  data?: unknown[];
}

/** The list of a result: itself, completion items, or the numbers of semantic tokens. */
const listIn = (result: unknown): unknown[] | undefined => {
  if (Array.isArray(result)) return result;
  const { items, data } = (result ?? {}) as Lists;
  return items ?? data;
};

const isEmpty = (result: unknown): boolean => result === null || listIn(result)?.length === 0;

/**
 * The first items of a list, and how many more there are.
 *
 * @param limit most items; of semantic tokens, most tokens
 * @param most UTF-16 units of all items as JSON; the first may be longer
 */
function cut(result: unknown, limit: number, most: number): { first: unknown; more: number } {
  const list = listIn(result);
  if (!list) return { first: result, more: 0 };
  const unit = (result as Lists).data ? NUMBERS : 1;
  const size = (item: unknown) => JSON.stringify(item).length + 1;
  const count = Math.floor(fitting(list, most, size, limit * unit) / unit);
  const first = list.slice(0, count * unit);
  const more = list.length / unit - count;
  if (Array.isArray(result)) return { first, more };
  return { first: { ...(result as Lists), [unit === 1 ? 'items' : 'data']: first }, more };
}
