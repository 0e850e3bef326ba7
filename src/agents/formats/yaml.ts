import { load, YAMLException } from 'js-yaml';
import { editLines, type Format, ParseProblem } from './format.ts';

/** YAML. An entry is a block of lines in a top-level mapping, which may be added and removed as text. */
export const yaml: Format = {
  parse(text) {
    if (!text.split('\n').some(isContent)) return undefined;
    try {
      return load(text);
    } catch (error) {
      if (!(error instanceof YAMLException)) throw error;
      throw new ParseProblem(error.reason, (error.mark?.line ?? 0) + 1);
    }
  },

  set: (text, [field = '', name = ''], value) =>
    editLines(text, (lines, added) => {
      const { start, end, indent } = blockOf(lines, field);
      // A value in JSON on one line is YAML as well.
      const entry = added([
        `${indent}${name}:`,
        ...Object.entries(value).map(([key, one]) => `${indent}  ${key}: ${JSON.stringify(one)}`),
      ]);
      const old = entryOf(lines, field, name);
      if (old) lines.splice(old.start, old.end - old.start, ...entry);
      else if (start < 0)
        lines.splice(lines.at(-1) === '' ? -1 : lines.length, 0, ...added([`${field}:`]), ...entry);
      else {
        lines.splice(end, 0, ...entry);
        lines[start] = lines[start]?.replace(EMPTY, ':') ?? '';
      }
    }),

  remove: (text, [field = '', name]) =>
    editLines(text, (lines) => {
      const found = name === undefined ? blockOf(lines, field) : entryOf(lines, field, name);
      if (found && found.start >= 0) lines.splice(found.start, found.end - found.start);
    }),
};

/** A mapping without entries, behind its key. */
const EMPTY = /:\s*(?:\{\s*\}|null\b|~)/;

/** Lines from 0, without the end. */
interface Lines {
  start: number;
  end: number;
}

/** A top-level mapping, also an empty one, and the indentation of its keys; `start` is -1 if there is none. */
function blockOf(lines: readonly string[], field: string): Lines & { indent: string } {
  const key = new RegExp(`^(['"]?)${field}\\1\\s*:\\s*(#.*)?$`);
  const start = lines.findIndex((line) => key.test(line.replace(EMPTY, ':').trimEnd()));
  const first = lines.slice(start + 1).find(isContent);
  const indent = (start >= 0 && /^ +/.exec(first ?? '')?.[0]) || '  ';
  return { start, end: endOf(lines, start, 0), indent };
}

/** An entry of a top-level mapping. */
function entryOf(lines: readonly string[], field: string, name: string): Lines | undefined {
  const block = blockOf(lines, field);
  const key = new RegExp(`^${block.indent}(['"]?)${name}\\1\\s*:`);
  const start = lines.findIndex((line, index) => index > block.start && index < block.end && key.test(line));
  return block.start < 0 || start < 0 ? undefined : { start, end: endOf(lines, start, block.indent.length) };
}

/** The line behind the last one that is indented more than a key. Comments and empty lines at the end belong to what follows. */
function endOf(lines: readonly string[], start: number, indent: number): number {
  const next = lines.findIndex(
    (line, index) => index > start && isContent(line) && line.search(/\S/) <= indent,
  );
  let end = next < 0 ? lines.length : next;
  while (end > start + 1 && !isContent(lines[end - 1] ?? '')) end--;
  return end;
}

const isContent = (line: string): boolean => /^\s*[^\s#]/.test(line);
