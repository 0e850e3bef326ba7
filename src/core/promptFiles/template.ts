import { percentDecoded } from '../paths.ts';

/** A piece of a prompt's text. */
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
const LINK = `(?<!!)\\[${some('^\\[\\]\\n', 0)}\\]\\(<?(?<link>${some('^()<>\\s')})>?(?:\\s${some('^()\\n', 0)})?\\)`;
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
  const { input, placeholder, editor, link, file = '' } = groups;
  if (input !== undefined) return { kind: 'input', name: input.trim(), ...(placeholder && { placeholder }) };
  if (editor !== undefined) return { kind: 'editor', name: editor };
  if (link !== undefined && isElsewhere(link)) return undefined;
  // A full stop or comma after a path ends the sentence.
  const path =
    link === undefined ? file.replace(/[.,;:!?)\]}'"]+$/, '') : percentDecoded(link.replace(/[#?].*$/, ''));
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
