/** How a prompt file writes its variables: VS Code's prompt files, Markdown commands of Claude Code and Codex, Gemini's TOML. */
export type Dialect = 'vscode' | 'command' | 'gemini';

/** A piece of a prompt's text. */
export type Part = string | InputPart | PositionPart | EditorPart | FilePart;

/** The value of an argument. */
export interface InputPart {
  kind: 'input';
  name: string;
  /** What the file says of it, for whoever fills it in. */
  placeholder?: string;
}

/** `$1`, or `$ARGUMENTS` if there is no number. */
export interface PositionPart {
  kind: 'position';
  number?: number;
}

/** A fact of the active editor or its folder. */
export interface EditorPart {
  kind: 'editor';
  name: string;
}

/** A file to attach; its text stays. */
export interface FilePart {
  kind: 'file';
  text: string;
  path: string;
  /** `@name` may be anything else, such as a person. */
  isMaybe: boolean;
}

/** Longest name, path or placeholder: a limit for hostile files. */
const some = (set: string, least = 1) => `[${set}]{${least},300}`;

const INPUT = `\\$\\{input:(?<input>${some('^:{}\\n')})(?::(?<placeholder>${some('^{}\\n', 0)}))?\\}`;
const EDITOR =
  '\\$\\{(?<editor>selection|selectedText|file|fileBasename|fileDirname|fileBasenameNoExtension|workspaceFolder|workspaceFolderBasename)\\}';
const LINK = `(?<!!)\\[${some('^\\[\\]\\n', 0)}\\]\\(<?(?<link>${some('^()<>\\s')})>?(?:\\s${some('^()\\n', 0)})?\\)`;
const FILE = `#file:(?<file>${some('^\\s#`')})`;
const AT = `(?<![\\w\`@/])@(?<at>${some('\\w./~+-')})`;
const ALL = '\\$ARGUMENTS(?![\\w[])|\\{\\{args\\}\\}';

const RULES: Record<Dialect, RegExp> = {
  vscode: new RegExp([INPUT, EDITOR, LINK, FILE].join('|'), 'g'),
  command: new RegExp(
    [
      `(?<all>\\$ARGUMENTS(?![\\w[]))`,
      '\\$(?:ARGUMENTS\\[(?<index>\\d{1,2})\\]|(?<number>\\d)(?!\\d|[.,]\\d))',
      AT,
    ].join('|'),
    'g',
  ),
  gemini: new RegExp([`(?<all>${ALL})`, `@\\{(?<braced>${some('^{}\\n')})\\}`].join('|'), 'g'),
};

/** Never throws: what is no variable or file is text. Commands (`` !`…` ``, `!{…}`) are text, and are never run. */
export function parseTemplate(body: string, dialect: Dialect): Part[] {
  const parts: Part[] = [];
  const fenced = dialect === 'gemini' ? [] : fences(body);
  let at = 0;
  for (const match of body.matchAll(RULES[dialect])) {
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
  const { input, placeholder, editor, all } = groups;
  if (input !== undefined) return { kind: 'input', name: input.trim(), ...(placeholder && { placeholder }) };
  if (editor !== undefined) return { kind: 'editor', name: editor };
  if (all !== undefined) return { kind: 'position' };
  const number = groups.index ?? groups.number;
  if (number !== undefined) return { kind: 'position', number: Number(number) };
  return filePart(text, groups);
}

function filePart(text: string, { link, file, at, braced }: Groups): FilePart | undefined {
  if (link !== undefined)
    return isElsewhere(link) ? undefined : withPath(text, decoded(link.replace(/[#?].*$/, '')));
  if (braced !== undefined) return withPath(text, braced.trim());
  // A full stop or comma after a path ends the sentence.
  const path = (file ?? at ?? '').replace(/[.,;:!?)\]}'"]+$/, '');
  return withPath(text, path, at !== undefined);
}

const withPath = (text: string, path: string, isMaybe = false): FilePart | undefined =>
  path === '' ? undefined : { kind: 'file', text, path, isMaybe };

/** Addresses, and places in the same file. */
const isElsewhere = (link: string): boolean => /^(?:[a-z][a-z\d+.-]+:|#|\/\/)/i.test(link);

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

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
