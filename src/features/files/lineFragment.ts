import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { countLines, sliceLines } from '../../core/text/lines.ts';

/** The lines in the fragment of a URI: `#L10` or `#L10-L20`, 1-based, inclusive. */
export interface NamedLines {
  first: number;
  last: number;
}

const FRAGMENT = /^L([1-9]\d*)(?:-L?([1-9]\d*))?$/;

/**
 * A URI without its fragment, and the lines in the fragment, if there is one.
 *
 * @throws UserError if the fragment is not a line range
 */
export function splitLines(uri: string): { uri: string; lines?: NamedLines } {
  const at = uri.indexOf('#');
  if (at < 0) return { uri };
  const fragment = uri.slice(at + 1);
  const [, first, last = first] = FRAGMENT.exec(fragment) ?? [];
  const lines = { first: Number(first), last: Number(last) };
  if (first === undefined)
    throw new UserError(
      `"#${visible(fragment)}" is not a line range. Write #L10 or #L10-L20, and a "#" in a file name as %23.`,
    );
  if (lines.last < lines.first)
    throw new UserError(`"#${fragment}" ends before it starts. Put the first line first.`);
  return { uri: uri.slice(0, at), lines };
}

/** @throws UserError if the text has no such lines */
export function linesOf(text: string, path: string, { first, last }: NamedLines): string {
  const total = countLines(text);
  if (first > total) throw new UserError(`${path} has ${total} lines; line ${first} is past its end.`);
  return sliceLines(text, first, last);
}
