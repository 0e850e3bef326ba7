import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { KINDS } from '../../core/kinds.ts';
import type { Addressed } from '../../core/symbolPaths.ts';
import { counted, fittingLines } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { type FileSymbol, outlineOf } from '../../services/language/symbols/outline.ts';
import { outlinesNaming } from '../../services/language/symbols/symbolFiles.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineReadTool, text } from '../tool.ts';

const MOST_DEPTH = 20;

interface Wanted {
  query: string;
  kinds: readonly string[];
  depth: number;
  limit: number;
}

export const listSymbols = defineReadTool({
  name: 'list_symbols',
  title: 'List symbols in VS Code',
  description:
    'Lists the classes, functions and other symbols of a file as a tree with their lines, or finds symbols by name in all files. Use it before you read a long file.',
  group: 'language',
  hints: { search: 'outline of a file, symbols of the workspace' },
  input: z.strictObject({
    path: z.string().min(1).optional().describe('None, or a folder: by query'),
    query: args.query.default('').describe('Part of the name'),
    kinds: z.array(args.query).max(100).default([]).describe('Such as "class"'),
    depth: z.int().min(1).max(MOST_DEPTH).default(2),
    limit: args.limit(200),
  }),
  async run({ path, ...wanted }, ctx, { signal }) {
    const unknown = wanted.kinds.find((kind) => !KINDS.includes(kind));
    if (unknown !== undefined)
      throw new UserError(`There is no kind "${unknown}". Kinds are ${KINDS.join(', ')}.`);
    const location = path === undefined ? undefined : await ctx.files.locate(path);
    const isFolder = location && (await ctx.files.stat(location))?.isFolder;
    if (location && !(isFolder && wanted.query)) return ofFile(location, wanted, ctx, signal);
    if (!wanted.query)
      throw new UserError('Pass path for the outline of a file, or query to search all files.');
    return ofAll(location, wanted, ctx, signal);
  },
});

async function ofFile(location: Location, wanted: Wanted, ctx: Context, signal: AbortSignal) {
  const outline = await outlineOf(location, ctx, signal);
  const shownPath = visible(outline.location.path);
  if (outline.symbols.length === 0)
    return text(`${shownPath} has no symbols. ${ctx.providers.why('symbols', outline.document)}`);
  const { query, kinds, depth, limit } = wanted;
  const matches = outline.all.filter(({ symbol }) => fits(symbol, wanted));
  const found = matches.filter((one) => one.depth <= depth);
  const deeper = matches.length - found.length;
  if (found.length === 0) return text(`No such symbol in ${shownPath}.`, noteOnDeeper(deeper));
  const isTree = query === '' && kinds.length === 0;
  const lines = found.slice(0, limit).map((one) => (isTree ? indented(one) : ofPath(one)));
  return cut([shownPath, ...lines], found.length + 1, noteOnDeeper(deeper));
}

/** @param folder undefined for the workspace */
async function ofAll(folder: Location | undefined, wanted: Wanted, ctx: Context, signal: AbortSignal) {
  const { outlines, leftOut } = await outlinesNaming(wanted.query, true, ctx, signal, folder);
  const byFile = outlines.flatMap(({ location, all }) => {
    const found = all.filter(({ symbol }) => fits(symbol, wanted));
    return found.map((one, index) => `${index === 0 ? `${visible(location.path)}\n` : ''}${ofPath(one)}`);
  });
  const more =
    leftOut > 0
      ? `${counted(leftOut, 'more file')} not looked at: narrow query, or pass a folder.`
      : undefined;
  const hint = /[/.#:]/.test(wanted.query) ? ' query is a part of one name, without its class.' : '';
  if (byFile.length === 0)
    return text(
      `No symbol "${visible(wanted.query)}" in ${folder ? visible(folder.path) : 'the workspace'}.${hint}`,
      more,
    );
  return cut(byFile.slice(0, wanted.limit), byFile.length, more);
}

const fits = ({ name, kind }: FileSymbol, { query, kinds }: Wanted): boolean =>
  name.toLowerCase().includes(query.toLowerCase()) && (kinds.length === 0 || kinds.includes(kind));

const noteOnDeeper = (count: number): string | undefined =>
  count > 0 ? `${counted(count, 'symbol')} deeper inside: raise depth.` : undefined;

/** @param count of all lines */
function cut(lines: readonly string[], count: number, note?: string) {
  const fit = fittingLines(lines, args.DEFAULT_CHARACTERS);
  const more = fit.length < count && 'This is not all. Narrow it by query, kinds or depth, or raise limit.';
  return text(fit.join('\n'), more, note);
}

const linesOf = ({ line, startLine = line, endLine }: FileSymbol): string =>
  startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;

const ofPath = ({ symbol, path }: Addressed<FileSymbol>): string =>
  `  ${linesOf(symbol)} ${symbol.kind} ${visible(path)}`;

function indented({ symbol, levels, depth }: Addressed<FileSymbol>): string {
  const { name: last = '', label = '' } = levels.at(-1) ?? {};
  const name = visible(`${symbol.name}${label.slice(last.length)}`);
  const detail = symbol.detail ? ` ${visible(symbol.detail).slice(0, 80)}` : '';
  return `${'  '.repeat(depth)}${linesOf(symbol)} ${symbol.kind} ${name}${detail}`;
}
