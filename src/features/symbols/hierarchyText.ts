import type { CallToolResult } from '@modelcontextprotocol/server';
import { visible } from '../../core/text/escapeInvisible.ts';
import { fitting } from '../../core/text/fitting.ts';
import type { Walk } from '../../services/language/symbols/hierarchy.ts';
import { hitsAt } from '../../services/language/symbols/places.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { text } from '../tool.ts';
import { grouped, noteOnClosed } from './shown.ts';

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
  const count = fitting(lines, args.DEFAULT_CHARACTERS, (line) => line.length + 1);
  const more = isCut || count < lines.length ? 'This is not all. Raise limit, or lower depth.' : undefined;
  return text(
    lines.slice(0, count).join('\n') || `${first}: none. ${none}`,
    more,
    incomplete,
    noteOnClosed(closed),
  );
}
