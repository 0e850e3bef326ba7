import { parsedJson } from '../json.ts';

/** What is wrong in a prompt file; the features say it in the user's language. */
export type PromptSyntaxProblem = 'headerOpen' | 'headerLine' | 'fieldTwice' | 'textOpen' | 'textAfter';

/** Why a prompt file cannot be read, and where: an offset in UTF-16 units. */
export class PromptSyntaxError extends Error {
  readonly problem: PromptSyntaxProblem;
  readonly offset: number;

  constructor(problem: PromptSyntaxProblem, offset: number) {
    super(problem);
    this.problem = problem;
    this.offset = offset;
  }
}

interface Line {
  text: string;
  offset: number;
}

const MARK = /^---\s*$/;
const KEY = /^(["']?)([A-Za-z_][\w.-]*)\1[ \t]*:(?=\s|$)[ \t]*/;
/** Belongs to the field above: it is indented, an item of its list, or the end of one. */
const GOES_ON = /^(?:\s|-(?:\s|$)|[\]}],?\s*$)/;

/**
 * Reads the part of YAML that front matter uses: one field a line, plain, quoted and block texts. It accepts what agents accept and
 * YAML does not, such as `argument-hint: [one] [two]`.
 *
 * @returns the texts by key (lists and maps are as written: no prompt needs what is in them), and the text below the header
 * @throws PromptSyntaxError
 */
export function readFrontMatter(text: string): { fields: ReadonlyMap<string, string>; body: string } {
  const lines = linesOf(text);
  if (!MARK.test(lines[0]?.text.replace(/^\uFEFF/, '') ?? '')) return { fields: new Map(), body: text };
  const end = lines.findIndex((line, index) => index > 0 && MARK.test(line.text));
  if (end < 0) throw new PromptSyntaxError('headerOpen', 0);
  const fields = new Map<string, string>();
  for (const { key, lines: own } of fieldsOf(lines.slice(1, end))) {
    if (fields.has(key)) throw new PromptSyntaxError('fieldTwice', own[0].offset);
    fields.set(key, textOf(own));
  }
  return { fields, body: text.slice(lines[end + 1]?.offset ?? text.length) };
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let offset = 0;
  for (const whole of text.split(/(?<=\n)|(?<=\r)(?!\n)/)) {
    lines.push({ text: whole.replace(/[\r\n]+$/, ''), offset });
    offset += whole.length;
  }
  return lines;
}

interface Field {
  key: string;
  /** The first begins with the value, the others are as written. */
  lines: [Line, ...Line[]];
}

function fieldsOf(lines: readonly Line[]): Field[] {
  const fields: Field[] = [];
  for (const { text, offset } of lines) {
    const last = fields.at(-1);
    const key = KEY.exec(text);
    if (key?.[2]) {
      const value = { text: text.slice(key[0].length), offset: offset + key[0].length };
      fields.push({ key: key[2], lines: [value] });
    } else if (last && (GOES_ON.test(text) || text === '')) last.lines.push({ text, offset });
    else if (text.trim() !== '' && !/^\s*#/.test(text)) throw new PromptSyntaxError('headerLine', offset);
  }
  return fields;
}

function textOf([first, ...rest]: Field['lines']): string {
  const block = /^([|>])[-+\d]*\s*(?:#.*)?$/.exec(first.text);
  if (block) return blockText(rest, block[1] === '>');
  const whole = [first, ...rest]
    .map(({ text }) => text.trim())
    .join(' ')
    .trim();
  if (/^["']/.test(whole)) return quotedText(whole, first.offset);
  return whole.replace(/(?:^|\s)#.*$/, '').trim();
}

/** @param folds single line ends become spaces */
function blockText(lines: readonly Line[], folds: boolean): string {
  const indents = lines.filter(({ text }) => text.trim() !== '').map(({ text }) => text.search(/\S/));
  const indent = Math.min(...indents, 100);
  const text = lines
    .map((line) => line.text.slice(indent))
    .join('\n')
    .trimEnd();
  return folds ? text.replace(/(?<!\n)\n(?![\n ])/g, ' ') : text;
}

function quotedText(text: string, offset: number): string {
  const quote = text.charAt(0);
  const pattern = quote === '"' ? /^"((?:[^"\\]|\\.)*)"/ : /^'((?:[^']|'')*)'/;
  const match = pattern.exec(text);
  if (!match) throw new PromptSyntaxError('textOpen', offset);
  const after = text.slice(match[0].length);
  if (!/^\s*(?:#.*)?$/.test(after)) throw new PromptSyntaxError('textAfter', offset + match[0].length);
  const inside = match[1] ?? '';
  return quote === "'" ? inside.replaceAll("''", "'") : `${parsedJson(match[0]) ?? inside}`;
}
