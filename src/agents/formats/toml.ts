import { parse, TomlError } from 'smol-toml';
import { type Fields, isObject } from '../../core/json.ts';
import { type Format, layoutOf, ParseProblem, valueAt } from './format.ts';

/** TOML. An entry is a table of its own, which may be added and removed as text. */
export const toml: Format = {
  parse: parsed,

  set(text, path, value) {
    const { eol } = layoutOf(text);
    const block = [`[${path.map(keyOf).join('.')}]`, ...Object.entries(value).map(lineOf)].join(eol);
    const [first] = tablesOf(text, path);
    if (first) {
      // The whole value is written, so its other tables go.
      const lines = without(text, tablesOf(text, path).slice(1));
      lines.splice(first.start, first.end - first.start, ...block.split(eol));
      return lines.join(eol);
    }
    if (text.trim() === '') return `${block}${eol}`;
    // Without a final line break the entry has none either, so removing it restores the text.
    return text.endsWith('\n') ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}`;
  },

  remove: (text, path) => without(text, tablesOf(text, path)).join(layoutOf(text).eol),
};

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [, reason = ''] = /^Invalid TOML document: (.*)/.exec(error.message) ?? [];
    throw new ParseProblem(reason || 'Invalid TOML', error.line);
  }
}

/** Lines of a table, from 0, without the end. */
interface Lines {
  start: number;
  end: number;
}

/** The table at a path and those below it. Comments above the next table belong to that. */
function tablesOf(text: string, path: readonly string[]): Lines[] {
  const lines = linesOf(text);
  const headers = lines.flatMap((line, index) => (isHeader(lines, line, index) ? [index] : []));
  return headers.flatMap((start, index) => {
    if (valueAt(parsed(lines[start] ?? ''), path) === undefined) return [];
    let end = headers[index + 1] ?? lines.length;
    while (/^\s*(#.*)?$/.test(lines[end - 1] ?? '')) end--;
    return [{ start, end }];
  });
}

/** In a text of several lines there may be lines that look like one: there, what is above does not parse. */
function isHeader(lines: readonly string[], line: string, index: number): boolean {
  if (!/^\s*\[/.test(line)) return false;
  try {
    parse(line);
    parse(lines.slice(0, index).join('\n'));
    return true;
  } catch {
    return false;
  }
}

const linesOf = (text: string): string[] => text.split(/\r?\n/);

/** Also without the empty line above each table. */
function without(text: string, tables: readonly Lines[]): string[] {
  const lines = linesOf(text);
  for (const { start, end } of tables.toReversed()) {
    const above = start > 0 && lines[start - 1]?.trim() === '' ? 1 : 0;
    lines.splice(start - above, end - start + above);
  }
  return lines;
}

const keyOf = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

const lineOf = ([name, value]: [string, unknown]): string => `${keyOf(name)} = ${written(value)}`;

/** JSON strings are valid TOML strings. */
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (isObject(value))
    return `{ ${Object.entries(value as Fields)
      .map(lineOf)
      .join(', ')} }`;
  return JSON.stringify(value);
}
