/** Requests of LSP clients, answered by what `lsp_request` asks. */
import { REDACTED } from '../../access/redaction/redaction.ts';
import { ifUserError, UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';
import type { DoorAnswer } from '../../core/lsp/door.ts';
import { checkersOf } from '../../services/language/checkers.ts';
import { isForAgents } from '../../services/language/codeActions.ts';
import { urisIn } from '../../services/language/lsp/access.ts';
import { answerLsp } from '../../services/language/lsp/request.ts';
import { clock, delay } from '../../util/clock.ts';
import type { Context } from '../context.ts';
import { noteOnClosed } from '../symbols/shown.ts';
import type { ClientTexts } from './clientTexts.ts';

/** The answer is about the whole of a file. */
const EDITING = /^textDocument\/(codeAction|formatting|rangeFormatting)$/;

/** All of them: a client takes a list for whole. */
const MOST_ITEMS = 100_000;
const MOST_CHARACTERS = 8 * 1024 * 1024;
/** Each one is resolved. */
const MOST_ACTIONS = 50;

/** How long a server is asked again that has just started, and how often, in milliseconds: clients wait a minute or so. */
const STARTING = 40_000;
const POLL = 2_000;

export type Answer = Pick<DoorAnswer, 'result' | 'note'>;

type Found = Awaited<ReturnType<typeof answerLsp>>;
type Ask = (method: string, params: Fields, limit?: number) => Promise<Found>;

/** Empty if texts of the client have to be known first. @throws UserError, CancelledError */
export async function answerRequest(
  method: string,
  params: Fields,
  texts: ClientTexts,
  ctx: Context,
  signal: AbortSignal,
): Promise<Answer> {
  const given = await texts.toWindow(params);
  // What only the client's text has would be left out, or lost.
  if (method === 'textDocument/rename') await texts.requireSame();
  if (EDITING.test(method)) await texts.requireSame(urisIn(params));
  if (texts.needed.size > 0) return {};
  const ask: Ask = (name, values, limit = MOST_ITEMS) =>
    answerSure({ method: name, params: values, limit, maxCharacters: MOST_CHARACTERS }, ctx, signal);
  const found = await (SPECIAL[method] ?? ((own: Fields) => ask(method, own)))(given, ask);
  const { result, more, closed, why } = found;
  if (method === 'textDocument/rename') await texts.requireSame(urisIn(result));
  await texts.requireUnchanged(params);
  const toClient = (one: unknown) => texts.toClient(one, params, /ormatting$/.test(method));
  const own = await inTexts(method, result, toClient);
  const left = more > 0 && `${more} more items are left out.`;
  return { result: own, ...noted(why, left, noteOnClosed(closed), texts.note) };
}

/** Not what a server gives that has just started: a later answer may have more. @throws UserError, CancelledError */
async function answerSure(...[request, ctx, signal]: Parameters<typeof answerLsp>): Promise<Found> {
  const until = clock.now() + STARTING;
  for (;;) {
    const found = await answerLsp(request, ctx, signal);
    const { doubt, isIndexing } = found;
    if (!doubt || (request.method === 'workspace/symbol' && hasLoaded(ctx))) return found;
    if (!isIndexing || clock.now() > until) throw new UserError(doubt);
    await delay(POLL, signal).catch(() => {});
  }
}

/** Whether a project may be loaded: servers load those of the files that are. */
const hasLoaded = ({ vscode }: Pick<Context, 'vscode'>): boolean =>
  vscode.workspace.textDocuments.some(({ languageId }) => checkersOf(vscode, languageId).length > 0);

export const noted = (...notes: (string | false | undefined)[]): Answer => {
  const note = notes.filter(Boolean).join(' ');
  return note ? { note } : {};
};

/** What VS Code's commands do in another way than a language server. */
const SPECIAL: Partial<Record<string, (params: Fields, ask: Ask) => Promise<Found>>> = {
  'textDocument/references': references,
  'textDocument/codeAction': codeActions,
  'textDocument/completion': completions,
};

/** Their commands can only be run in VS Code. */
const withoutCommand = ({ command: _, ...rest }: Fields): Fields => rest;

/** VS Code always has the declaration among them. */
async function references(params: Fields, ask: Ask): Promise<Found> {
  const found = await ask('textDocument/references', params);
  if (fieldsOf(params.context).includeDeclaration !== false) return found;
  const declared = ['textDocument/definition', 'textDocument/declaration'];
  const answers = await Promise.all(declared.map((method) => ask(method, params)));
  const places = new Set(answers.flatMap(({ result }) => itemsOf(result)).map(startOf));
  return { ...found, result: itemsOf(found.result).filter((one) => !places.has(startOf(one))) };
}

/** A text that is equal for places of one name. */
function startOf(place: unknown): string {
  const { uri, range, targetUri = uri, targetSelectionRange = range } = fieldsOf(place);
  return JSON.stringify([targetUri, fieldsOf(targetSelectionRange).start]);
}

/** VS Code takes one kind. Those without an edit are left out, and those that are not for agents. */
async function codeActions(params: Fields, ask: Ask): Promise<Found> {
  const kinds = itemsOf(fieldsOf(params.context).only);
  const each = kinds.length > 1 ? kinds.map((kind) => [kind]) : [kinds];
  const answers = await Promise.all(
    each.map((only) => ask('textDocument/codeAction', { ...params, context: { only } }, MOST_ACTIONS)),
  );
  const all = answers.flatMap(({ result }) => itemsOf(result)).map(fieldsOf);
  const usable = all.filter(({ edit, kind = '' }) => edit && isForAgents(`${kind}`));
  const actions = usable.map(withoutCommand);
  const sum = (of: 'more' | 'closed') => answers.reduce((count, one) => count + one[of], 0);
  const result = [...new Map(actions.map((one) => [JSON.stringify(one), one])).values()];
  return { result, more: sum('more'), closed: sum('closed') };
}

/** A result with the client's places; without code actions and completions whose edits the client cannot make. */
async function inTexts(
  method: string,
  result: unknown,
  toClient: (part: unknown) => Promise<unknown>,
): Promise<unknown> {
  const usable = async (all: readonly unknown[]) => {
    const each = all.map((one) => toClient(one).catch(ifUserError(undefined)));
    return (await Promise.all(each)).filter((one) => one !== undefined);
  };
  if (method === 'textDocument/codeAction') return usable(itemsOf(result));
  if (method !== 'textDocument/completion') return toClient(result);
  return { ...fieldsOf(result), items: await usable(itemsOf(fieldsOf(result).items)) };
}

async function completions(params: Fields, ask: Ask): Promise<Found> {
  const found = await ask('textDocument/completion', params);
  const list = fieldsOf(found.result);
  const open = itemsOf(list.items).filter((one) => !JSON.stringify(one).includes(REDACTED)); // what it inserts would be that
  const items = open.map((one) => withoutCommand(fieldsOf(one)));
  return { ...found, result: { ...list, items } };
}
