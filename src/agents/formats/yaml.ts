import { load, YAMLException } from 'js-yaml';
import { type Format, layoutOf, ParseProblem } from './format.ts';

/** YAML. An entry is a block of lines in a top-level mapping, which may be added and removed as text. */
export const yaml: Format = {
  parse(text) {
    try {
      return load(text) ?? undefined;
    } catch (error) {
      if (!(error instanceof YAMLException)) throw error;
      throw new ParseProblem(error.reason, (error.mark?.line ?? 0) + 1);
    }
  },

  set(text, [field = '', name = ''], value) {
    const { eol } = layoutOf(text);
    const lines = text.split(/\r?\n/);
    const { start, end, indent } = blockOf(lines, field);
    // A value in JSON on one line is YAML as well.
    const entry = [
      `${indent}${name}:`,
      ...Object.entries(value).map(([key, one]) => `${indent}  ${key}: ${JSON.stringify(one)}`),
    ];
    const old = entryOf(lines, field, name);
    if (old) lines.splice(old.start, old.end - old.start, ...entry);
    else if (start >= 0) lines.splice(end, 0, ...entry);
    else return [...lines.slice(0, -1), ...notEmpty(lines.at(-1)), `${field}:`, ...entry, ''].join(eol);
    return lines.join(eol);
  },

  remove(text, [field = '', name]) {
    const lines = text.split(/\r?\n/);
    const found = name === undefined ? blockOf(lines, field) : entryOf(lines, field, name);
    if (found && found.start >= 0) lines.splice(found.start, found.end - found.start);
    return lines.join(layoutOf(text).eol);
  },
};

const notEmpty = (line: string | undefined): string[] => (line ? [line] : []);

/** Lines from 0, without the end. */
interface Lines {
  start: number;
  end: number;
}

/** A top-level mapping, and the indentation of its keys; `start` is -1 if there is none. */
function blockOf(lines: readonly string[], field: string): Lines & { indent: string } {
  const start = lines.findIndex((line) => new RegExp(`^(['"]?)${field}\\1\\s*:\\s*(#.*)?$`).test(line));
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
