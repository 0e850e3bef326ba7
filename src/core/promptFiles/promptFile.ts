import { percentDecoded } from '../paths.ts';
import { readFrontMatter } from './frontMatter.ts';

export interface PromptFile {
  /** Its own name; the file's is used if there is none. */
  name?: string;
  description?: string;
  arguments: readonly PromptFileArgument[];
  parts: readonly Part[];
  /** Fields that decide what the prompt may use in another program: `tools`, `model`. */
  ignored: readonly string[];
}

export interface PromptFileArgument {
  /** An identifier, unique in the file. */
  name: string;
  description?: string;
  required: boolean;
  /** The name of the `${input:…}` that it stands for; undefined for text that goes to the end. */
  of?: string;
}

/** Fields that are used; all others are ignored, and some of these are worth telling. */
const REPORTED = ['tools', 'model', 'mode', 'agent'];

/** @throws PromptSyntaxError */
export function parsePromptFile(text: string): PromptFile {
  const { fields, body } = readFrontMatter(text);
  const parts = parseTemplate(body);
  const name = fields.get('name');
  const description = fields.get('description');
  return {
    ...(name && { name }),
    ...(description && { description }),
    arguments: argumentsOf(parts, fields.get('argument-hint')),
    parts,
    ignored: REPORTED.filter((field) => fields.has(field)),
  };
}

/** VS Code adds what was typed to a prompt that has no inputs; here only if the file has a hint. */
function argumentsOf(parts: readonly Part[], hint: string | undefined): PromptFileArgument[] {
  const inputs = new Map<string, string | undefined>();
  for (const part of parts)
    if (typeof part !== 'string' && part.kind === 'input')
      inputs.set(part.name, inputs.get(part.name) ?? part.placeholder);
  if (inputs.size > 0) return named(inputs);
  return hint ? [{ name: 'arguments', required: /^\s*</.test(hint), description: hint }] : [];
}

/** Names as identifiers, with a number if one is taken. */
function named(inputs: ReadonlyMap<string, string | undefined>): PromptFileArgument[] {
  const taken = new Set<string>();
  return [...inputs].map(([of, description]) => {
    const base =
      of
        .replace(/[^\p{L}\p{N}]+/gu, '_')
        .replace(/^_+|_+$/g, '')
        .slice(0, 60) || 'argument';
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base}_${count}`;
    taken.add(name);
    return { name, of, required: true, ...(description && { description }) };
  });
}

export type Part =
  | string
  /** The value of an argument. The placeholder is what the file says of it, for whoever fills it in. */
  | { kind: 'input'; name: string; placeholder?: string }
  /** A fact of the active editor or its folder. */
  | { kind: 'editor'; name: string }
  /** A file to attach; its text stays. */
  | { kind: 'file'; text: string; path: string };

/** Longest name, path or placeholder: a limit for hostile files. */
const some = (set: string, least = 1) => `[${set}]{${least},300}`;

const INPUT = `\\$\\{input:(?<input>${some('^:{}\\n')})(?::(?<placeholder>${some('^{}\\n', 0)}))?\\}`;
const EDITOR =
  '\\$\\{(?<editor>selection|selectedText|file|fileBasename|fileDirname|fileBasenameNoExtension|workspaceFolder|workspaceFolderBasename)\\}';
/** A link of CommonMark: brackets in its text and parentheses in its destination are in pairs, or escaped. */
const TEXT = '(?:\\\\.|[^\\[\\]\\\\\\n]|\\[[^\\[\\]\\n]{0,300}\\]){0,300}';
const TITLE = `(?:\\s+(?:"${some('^"\\n', 0)}"|'${some("^'\\n", 0)}'|\\(${some('^()\\n', 0)}\\)))?\\s*`;
const POINTED = '<(?<pointed>(?:\\\\.|[^<>\\\\\\n]){1,300})>';
const PAIR = `\\(${some('^()\\n', 0)}\\)`;
/** CommonMark has no blanks in it; whoever writes some means the file all the same. */
const PLAIN = `(?<link>(?!<)(?:\\\\.|[^()\\\\\\n]|${PAIR}){1,300}?)`;
const LINK = `(?<!!)\\[${TEXT}\\]\\(\\s*(?:${POINTED}|${PLAIN})${TITLE}\\)`;
const FILE = `#file:(?<file>${some('^\\s#`')})`;

/** The variables of VS Code's prompt files, and the files that they name. */
const RULE = new RegExp([INPUT, EDITOR, LINK, FILE].join('|'), 'g');

/** Never throws: what is no variable or file is text. */
export function parseTemplate(body: string): Part[] {
  const parts: Part[] = [];
  const fenced = fences(body);
  let at = 0;
  for (const match of body.matchAll(RULE)) {
    const part = partOf(match[0], match.groups ?? {});
    const isCode = fenced.some(([start, end]) => match.index >= start && match.index < end);
    if (!part || (isCode && part.kind === 'file')) continue;
    parts.push(body.slice(at, match.index), part);
    at = match.index + match[0].length;
  }
  return [...parts, body.slice(at)].filter((part) => part !== '');
}

type Groups = Partial<Record<string, string>>;

function partOf(text: string, groups: Groups): Exclude<Part, string> | undefined {
  const { input, placeholder, editor, pointed, link = pointed, file = '' } = groups;
  if (input !== undefined) return { kind: 'input', name: input.trim(), ...(placeholder && { placeholder }) };
  if (editor !== undefined) return { kind: 'editor', name: editor };
  if (link !== undefined && isElsewhere(link)) return undefined;
  // A full stop or comma after a path ends the sentence.
  const path =
    link === undefined
      ? file.replace(/[.,;:!?)\]}'"]+$/, '')
      : percentDecoded(link.replace(/[#?].*$/, '').replace(/\\([()<>[\] ])/g, '$1'));
  return path === '' ? undefined : { kind: 'file', text, path };
}

/** Addresses, and places in the same file. */
const isElsewhere = (link: string): boolean => /^(?:[a-z][a-z\d+.-]+:|#|\/\/)/i.test(link);

/** Where fenced code blocks start and end. A file that is named in an example is not meant. */
function fences(body: string): [number, number][] {
  const found: [number, number][] = [];
  let open: { start: number; mark: string } | undefined;
  for (const { 1: mark = '', index } of body.matchAll(/^[ \t]{0,3}(`{3,}|~{3,})/gm)) {
    if (!open) open = { start: index, mark };
    else if (mark.startsWith(open.mark)) {
      found.push([open.start, index]);
      open = undefined;
    }
  }
  return open ? [...found, [open.start, body.length]] : found;
}
