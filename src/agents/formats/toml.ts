import { parse, TomlError } from 'smol-toml';
import { attempt } from '../../core/errors.ts';
import { fieldsOf, isObject } from '../../core/json.ts';
import { type Format, ParseProblem, type Path, valueAt } from './format.ts';

/** TOML. An entry is a table of its own, which may be added and removed as text. */
export const toml: Format = {
  parse: parsed,

  set: (text, path, value) =>
    editLines(text, (lines, added) => {
      const block = added([`[${path.map(keyOf).join('.')}]`, ...Object.entries(fieldsOf(value)).map(lineOf)]);
      const [first, ...others] = tablesOf(lines, path);
      if (first) {
        // The whole value is written, so its other tables go.
        removeTables(lines, others);
        lines.splice(first.start, first.end - first.start, ...block);
      } else {
        const isEmpty = lines.every((line) => line.trim() === '');
        const above = isEmpty ? [] : added(['']);
        lines.splice(lines.at(-1) === '' ? -1 : lines.length, 0, ...above, ...block);
      }
    }),

  remove: (text, path) => editLines(text, (lines) => removeTables(lines, tablesOf(lines, path))),
};

/** Edits lines. Each keeps its own line break; new ones get that of the text, and the last one has one only if it had. */
function editLines(
  text: string,
  edit: (lines: string[], added: (lines: string[]) => string[]) => void,
): string {
  const end = /\r?\n/.exec(text)?.[0].slice(0, -1) ?? '';
  const isEnded = text === '' || text.endsWith('\n');
  const lines = (isEnded ? text : text + end).split('\n');
  edit(lines, (more) => more.map((line) => line + end));
  const result = lines.join('\n');
  return isEnded || !end ? result : result.replace(/\r$/, '');
}

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
function tablesOf(lines: readonly string[], path: Path): Lines[] {
  const headers = lines.flatMap((line, index) => (isHeader(lines, line, index) ? [index] : []));
  return headers.flatMap((start, index) => {
    if (valueAt(parsed(lines[start]?.trim() ?? ''), path) === undefined) return [];
    let end = headers[index + 1] ?? lines.length;
    while (/^\s*(#.*)?$/.test(lines[end - 1]?.trimEnd() ?? '')) end--;
    return [{ start, end }];
  });
}

/** In a text of several lines there may be lines that look like one: there, what is above does not parse. */
function isHeader(lines: readonly string[], line: string, index: number): boolean {
  if (!/^\s*\[/.test(line)) return false;
  return [line.trim(), [...lines.slice(0, index), ''].join('\n')].every((text) => attempt(() => parse(text)));
}

/** The empty line above each table goes too. */
function removeTables(lines: string[], tables: readonly Lines[]): void {
  for (const { start, end } of tables.toReversed()) {
    const above = start > 0 && lines[start - 1]?.trim() === '' ? 1 : 0;
    lines.splice(start - above, end - start + above);
  }
}

const keyOf = (name: string | number): string =>
  /^[\w-]+$/.test(String(name)) ? String(name) : JSON.stringify(name);

const lineOf = ([name, value]: [string, unknown]): string => `${keyOf(name)} = ${written(value)}`;

/** JSON strings are valid TOML strings. */
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (isObject(value)) return `{ ${Object.entries(value).map(lineOf).join(', ')} }`;
  return JSON.stringify(value);
}
