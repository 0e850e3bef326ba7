import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { counted, firstOf, fittingLines } from '../../core/text/cut.ts';
import { visible, visibleText } from '../../core/text/visible.ts';
import { isTestFile } from '../../services/language/changes/testFiles.ts';
import type { Target } from '../../services/language/symbols/candidates.ts';
import type { Walk } from '../../services/language/symbols/hierarchy.ts';
import { type Hit, hitsAt, type OpenPlace } from '../../services/language/symbols/places.ts';
import type { Files } from '../../workspace/files.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { text } from '../tool.ts';

/** How every tool names a symbol. Five tools repeat this, so it has few words. */
export const symbolArguments = {
  symbol: args.query
    .min(1)
    .optional()
    .describe('Name on line; without line "Class/method", "method[2]" the second'),
  path: z.string().min(1).optional(),
  line: args.line.optional(),
  column: z.int().min(1).optional(),
};

/** Hits by file, as `search_text` shows them; each file's path once. */
export function grouped(hits: readonly Hit[]): string[] {
  let last: string | undefined;
  return hits.map(({ path, line, text, label }) => {
    const lead = path === last ? '' : `${visible(path)}\n`;
    last = path;
    return `${lead}${line}: ${label ? `${visible(label)}  ` : ''}${visibleText(text)}`;
  });
}

/** The first places by file, under a heading with their number. */
export async function listed(
  title: string,
  places: readonly OpenPlace[],
  most: number,
  files: Files,
): Promise<string[]> {
  return [headed(title, places, most), ...grouped(await hitsAt(places.slice(0, most), files))];
}

/** Places as line numbers of each file, without the texts. */
export function numbered(title: string, places: readonly OpenPlace[], most: number): string[] {
  const byPath = Map.groupBy(places.slice(0, most), ({ location }) => location.path);
  const linesOf = (some: readonly OpenPlace[]) => some.map(({ range }) => range.start.line + 1).join(', ');
  const lines = [...byPath].map(([path, some]) => `${visible(path)}: ${linesOf(some)}`);
  return [headed(title, places, most), ...lines];
}

const headed = (title: string, { length }: readonly OpenPlace[], most: number): string =>
  `${title} (${length > most ? `${most} of ${length}` : length}):`;

export const isInTest = ({ location }: OpenPlace): boolean => isTestFile(location.path);

/** Whether a line declares a type: among TypeScript's implementations of a type are variables of it. */
export const declaresType = async (place: OpenPlace, { files }: Pick<Context, 'files'>): Promise<boolean> =>
  /\b(class|interface|extends|implements)\b/.test((await hitsAt([place], files))[0]?.text ?? '');

/** A note on places that this agent may not know of. */
export const noteOnClosed = (closed: number): string | undefined =>
  closed > 0
    ? `${counted(closed, 'more place is', 'more places are')} outside the workspace or closed to you.`
    : undefined;

/**
 * A symbol and its place, for headings: a name may be that of another symbol than the agent means.
 *
 * @param asked the path that the agent has given, which is not repeated
 */
export const titleOf = (
  { name, symbol, location, position, namesakes = [] }: Target,
  asked?: string,
): string => {
  const line = position.line + 1;
  const place = location.path === asked ? `line ${line}` : `${visible(location.path)}:${line}`;
  const others = namesakes.map((one) => `${visible(one.outline.location.path)}:${one.symbol.line}`);
  const also = others.length > 0 ? `; the name is also at ${firstOf(others)}` : '';
  return `${symbol ? `${symbol.kind} ` : ''}${visible(name)} (${place}${also})`;
};

/**
 * A walk as text: the neighbours of each item by file.
 *
 * @param headings of the first item and of the others
 * @param none what else to try
 * @param incomplete a note
 */
export async function hierarchyText(
  { levels, closed, isCut }: Walk,
  [first, ofOther]: readonly [string, (name: string) => string],
  none: string,
  { files }: Pick<Context, 'files'>,
  incomplete?: string,
): Promise<CallToolResult> {
  const parts = await Promise.all(
    levels.map(async ({ of, places }, index) => [
      `${index === 0 ? first : ofOther(visible(of))}:`,
      ...grouped(await hitsAt(places, files)),
    ]),
  );
  const lines = parts.flat();
  const fit = fittingLines(lines, args.DEFAULT_CHARACTERS);
  const more = (isCut || fit.length < lines.length) && 'This is not all. Raise limit, or lower depth.';
  return text(fit.join('\n') || `${first}: none. ${none}`, more, incomplete, noteOnClosed(closed));
}
