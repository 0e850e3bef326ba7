import type * as vscode from 'vscode';
import * as z from 'zod';
import { ifUserError, UserError } from '../../core/errors.ts';
import { isCFamily, TYPES } from '../../core/kinds.ts';
import { encodeCursor, page } from '../../core/page.ts';
import { counted, fitting } from '../../core/text/cut.ts';
import { isTypeScript } from '../../services/language/checkers.ts';
import type { LanguageScope } from '../../services/language/providers.ts';
import { withOwn } from '../../services/language/symbols/allDeclarations.ts';
import type { Target } from '../../services/language/symbols/candidates.ts';
import { noteOnElsewhere, referencesEverywhere } from '../../services/language/symbols/elsewhere.ts';
import {
  currentPlaces,
  hitsAt,
  keyOf,
  type OpenPlace,
  openPlaces,
  placesAsked,
} from '../../services/language/symbols/places.ts';
import { resolveSymbol } from '../../services/language/symbols/resolveSymbol.ts';
import { inParallel } from '../../util/queues.ts';
import * as args from '../arguments.ts';
import { defineReadTool, text } from '../tool.ts';
import { declaresType, grouped, noteOnClosed, symbolArguments, titleOf } from './shown.ts';

const WANTED = {
  definition: 'definitions',
  declaration: 'declarations',
  type_definition: 'type definitions',
  implementation: 'implementations',
} as const;

export const findDefinition = defineReadTool({
  name: 'find_definition',
  title: 'Find definition in VS Code',
  description:
    'Finds where a name in code is defined, or its type or implementations, with the language server. Use it on a function, variable or type that you see: pass path, line and symbol.',
  group: 'language',
  hints: { search: 'go to definition, declaration, type or implementation' },
  input: z.strictObject({
    ...symbolArguments,
    kind: z.enum(['definition', 'declaration', 'type_definition', 'implementation']).default('definition'),
    limit: args.limit(50),
  }),
  async run({ kind, limit, ...wanted }, ctx, { signal }) {
    const { providers, files } = ctx;
    const target = await resolveSymbol(wanted, ctx, signal);
    const what = WANTED[kind];
    const isInAll = kind === 'implementation' && isTypeScript(target.document.languageId);
    const uses = isInAll ? await referencesEverywhere(target, ctx, signal) : undefined;
    const answer = await placesAsked(what, target, ctx, signal);
    const isOfItself = what === 'definitions' || what === 'declarations';
    const found = isOfItself ? await withOwn(answer, what, target, ctx, signal) : answer;
    if (found.length === 0)
      return text(`No ${what} of ${titleOf(target)}. ${providers.why(what, target.document)}`);
    const { open: all, closed } = await openPlaces(found, files);
    const isOfType = uses && TYPES.has(target.symbol?.kind ?? '');
    const types = isOfType ? await Promise.all(all.map((one) => declaresType(one, ctx))) : [];
    // Objects of a type are told only if no class implements it.
    const open = types.includes(true) ? all.filter((_, index) => types[index]) : all;
    const lines = grouped(await hitsAt(open.slice(0, limit), files));
    const more = open.length > limit && `${limit} of ${open.length} ${what}. Raise limit for the rest.`;
    const heading = `${counted(open.length, what.slice(0, -1), what)} of ${titleOf(target)}${open.length > 0 ? ':' : '.'}`;
    return text(
      [heading, ...lines].join('\n'),
      more,
      noteOnClosed(closed),
      noteOnElsewhere(uses?.elsewhere ?? [], target),
    );
  },
});

const VERBS = { all: 'use', read: 'read', write: 'write' };

export const findReferences = defineReadTool({
  name: 'find_references',
  title: 'Find references in VS Code',
  description:
    'Finds all uses of a symbol, and its declaration, with the language server. Use it instead of text search: no false hits.',
  group: 'language',
  hints: { search: 'find references, usages of a symbol', alwaysLoad: true },
  input: z.strictObject({
    ...symbolArguments,
    kind: z.enum(['all', 'read', 'write']).default('all'),
    limit: args.limit(100),
    cursor: args.cursor,
  }),
  async run({ kind, limit, cursor, ...wanted }, ctx, { signal }) {
    const { providers, files } = ctx;
    const target = await resolveSymbol(wanted, ctx, signal);
    const { document } = target;
    const { found, elsewhere } = await referencesEverywhere(target, ctx, signal);
    const title = titleOf(target, wanted.path);
    if (found.length === 0)
      return text(`No references to ${title}. ${providers.why('references', document)}`);
    const { open, closed } = await openPlaces(found, files);
    const places = kind === 'all' ? open : await onlyReadOrWritten(open, target, kind, ctx, signal);
    if (!places) throw new UserError('The language server does not tell reads from writes. Leave kind out.');
    const list = `the references to ${title} (${kind})`;
    const { items } = page(list, places, keyOf, cursor, limit);
    const { current, note: stale } = await currentPlaces(items, target, files);
    const lines = grouped(await hitsAt(current, files));
    const count = fitting(lines, args.DEFAULT_CHARACTERS, (line) => line.length + 1);
    const last = count < current.length ? current[count - 1] : items.at(-1);
    const isCut = last !== undefined && last !== places.at(-1);
    const more = isCut ? `Pass cursor "${encodeCursor(list, keyOf(last))}" for the rest.` : undefined;
    const fileCount = new Set(places.map(({ location }) => location.path)).size;
    const inFiles = isCut || cursor ? ` in ${counted(fileCount, 'file')}` : ''; // otherwise all of them follow
    const total = places.length - items.length + current.length;
    const heading = `${counted(total, `line ${VERBS[kind]}s`, `lines ${VERBS[kind]}`)} ${title}${inFiles}:`;
    const others = noteOnElsewhere(elsewhere, target);
    return text(
      [heading, ...lines.slice(0, count)].join('\n'),
      more,
      noteOnClosed(closed),
      stale,
      isCut && stale && UNREAD,
      others,
    );
  },
});

const UNREAD = 'The other lines were not compared with the text.';

const AT_ONCE = 4;
/** `vscode.DocumentHighlightKind`. */
const KINDS = { read: 1, write: 2 };

/** Whether a name is read and written at once, as by `+=` and `++`: clangd says neither. */
function isChanged(line: string, { start, end }: vscode.Range): boolean {
  return (
    /^\s*((<<|>>|[-+*/%&|^])=|\+\+|--)/.test(line.slice(end.character)) ||
    /(\+\+|--)\s*(\w+\s*(->|\.|::)\s*)*$/.test(line.slice(0, start.character))
  );
}

/**
 * The references that read, or that write, as document highlights tell them apart: VS Code's references do not. Each file is loaded.
 *
 * @returns undefined if the server does not tell them apart either
 * @throws UserError, CancelledError
 */
async function onlyReadOrWritten(
  references: readonly OpenPlace[],
  target: Target,
  kind: keyof typeof KINDS,
  { files, providers }: LanguageScope,
  signal: AbortSignal,
): Promise<OpenPlace[] | undefined> {
  const { current } = await currentPlaces(references, target, files);
  const byPath = Map.groupBy(current, ({ location }) => location.path);
  const told = await inParallel([...byPath.values()], AT_ONCE, async ([first]) => {
    if (!first) return [];
    const { location, range } = first;
    const document = await files.loadDocument(location).catch(ifUserError(undefined));
    if (!document) return [];
    const at = [document, signal, range.start] as const;
    const found = await providers.ask<vscode.DocumentHighlight>('highlights', ...at);
    const numbers = found.map((one) => one.range.start.line);
    const lines = isCFamily(document.languageId)
      ? await files.lines(location, numbers)
      : new Map<number, string>();
    return found.map(({ kind, range }) => {
      const isBoth = isChanged(lines.get(range.start.line) ?? '', range);
      return { kind: isBoth ? 'both' : kind, key: `${location.path} ${range.start.line}` };
    });
  });
  if (!told.flat().some((one) => one.kind)) return undefined;
  const matching = told.flat().filter((one) => one.kind === 'both' || one.kind === KINDS[kind]);
  const wanted = new Set(matching.map(({ key }) => key));
  return current.filter(({ location, range }) => wanted.has(`${location.path} ${range.start.line}`));
}
