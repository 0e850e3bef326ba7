import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { type Addressed, addressed } from '../../core/symbolPaths.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { fitting } from '../../core/text/fitting.ts';
import { type FileSymbol, KINDS, outlineOf } from '../../services/language/symbols/outline.ts';
import { type Found, searchSymbols } from '../../services/language/symbols/searchSymbols.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineTool, LOOKS_ONLY, text } from '../tool.ts';
import { counted, noteOnClosed } from './shown.ts';

const MOST_DEPTH = 20;

interface Wanted {
  query: string;
  kinds: readonly string[];
  depth: number;
  limit: number;
}

/** The outline of a file, or symbols of the workspace. */
export const listSymbols = defineTool({
  name: 'list_symbols',
  title: 'List symbols in VS Code',
  description:
    'Lists the classes, functions and other symbols of a file as a tree with their lines, or finds symbols by name in all files. Use it before you read a long file.',
  group: 'language',
  operation: 'read',
  annotations: LOOKS_ONLY,
  hints: { search: 'outline, workspace symbols' },
  input: z.strictObject({
    path: z.string().min(1).optional().describe('Without it: all files, by query'),
    query: z.string().default('').describe('Part of the name'),
    kinds: z.array(z.string()).default([]).describe('Such as "class"'),
    depth: z.int().min(1).max(MOST_DEPTH).default(2),
    limit: args.limit(200),
  }),
  async run({ path, ...wanted }, ctx, { signal }) {
    const unknown = wanted.kinds.find((kind) => !KINDS.includes(kind));
    if (unknown !== undefined)
      throw new UserError(`There is no kind "${unknown}". Kinds are ${KINDS.join(', ')}.`);
    if (path !== undefined) return ofFile(path, wanted, ctx, signal);
    if (!wanted.query)
      throw new UserError('Pass path for the outline of a file, or query to search all files.');
    const { symbols, closed } = await searchSymbols(wanted.query, ctx, signal);
    const found = symbols.filter(({ kind }) => wanted.kinds.length === 0 || wanted.kinds.includes(kind));
    if (found.length === 0) return text(`No symbol "${visible(wanted.query)}" in the workspace.`);
    return cut(byFile(found.slice(0, wanted.limit)), found.length, noteOnClosed(closed));
  },
});

async function ofFile(path: string, wanted: Wanted, ctx: Context, signal: AbortSignal) {
  const outline = await outlineOf(await ctx.files.locate(path), ctx, signal);
  const shownPath = visible(outline.location.path);
  if (outline.symbols.length === 0)
    return text(`${shownPath} has no symbols. ${ctx.providers.why('symbols', outline.document)}`);
  const { query, kinds, depth, limit } = wanted;
  const isNarrowed = query !== '' || kinds.length > 0;
  const has = ({ symbol }: Addressed<FileSymbol>) =>
    symbol.name.toLowerCase().includes(query.toLowerCase()) &&
    (kinds.length === 0 || kinds.includes(symbol.kind));
  const matches = addressed(outline.symbols).filter(has);
  const found = matches.filter(({ levels }) => levels.length <= depth);
  const deeper = matches.length - found.length;
  if (found.length === 0) return text(`No such symbol in ${shownPath}.`, noteOnDeeper(deeper));
  const lines = found.slice(0, limit).map((one) => (isNarrowed ? ofPath(one) : indented(one)));
  return cut([shownPath, ...lines], found.length + 1, noteOnDeeper(deeper));
}

const noteOnDeeper = (count: number): string | undefined =>
  count > 0 ? `${counted(count, 'symbol')} deeper inside: raise depth.` : undefined;

/** @param count of all lines */
function cut(lines: readonly string[], count: number, note?: string) {
  const fit = fitting(lines, args.DEFAULT_CHARACTERS, (line) => line.length + 1);
  const more =
    fit < count ? 'This is not all. Narrow it by query, kinds or depth, or raise limit.' : undefined;
  return text(lines.slice(0, fit).join('\n'), more, note);
}

const linesOf = ({ line, startLine = line, endLine }: FileSymbol): string =>
  startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;

const ofPath = ({ symbol, path }: Addressed<FileSymbol>): string =>
  `  ${linesOf(symbol)} ${symbol.kind} ${visible(path)}`;

function indented({ symbol, levels }: Addressed<FileSymbol>): string {
  const last = levels.at(-1);
  const index = last?.isOneOfSeveral ? `[${last.index}]` : '';
  const detail = symbol.detail ? ` ${visible(symbol.detail).slice(0, 80)}` : '';
  return `${'  '.repeat(levels.length)}${linesOf(symbol)} ${symbol.kind} ${visible(symbol.name)}${index}${detail}`;
}

function byFile(found: readonly Found[]): string[] {
  const files = Map.groupBy(found, ({ path }) => path);
  return [...files].flatMap(([path, symbols]) =>
    symbols.map(({ line, kind, name }, index) => {
      const lead = index === 0 ? `${visible(path)}\n` : '';
      return `${lead}  ${line} ${kind} ${visible(name)}`;
    }),
  );
}
