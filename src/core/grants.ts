import { itemsOf, jsonText, MOST_LEVELS, parsedJson } from './json.ts';

/**
 * What the user can allow for longer than one call. The question has a sentence for each (`grantLabel`), and a grant covers that
 * and nothing else: all of a kind, changes of one file's text or of all in a folder (its URI ends with a slash), one command line, a
 * hosted server or one of its tools, the questions of a hosted server to language models, one command of VS Code with its arguments, plain breakpoints, or one debug session.
 */
export type Grant =
  | ('edit' | 'delete' | 'test' | 'breakpoints')
  | `edit:${string}`
  | `run:${string}`
  | `server:${string}`
  | `sampling:${string}`
  | `command:${string}`
  | `debug:${string}`;

/** Whether a stored text is one: an earlier version had others. */
export const isGrant = (text: string): text is Grant =>
  ['edit', 'delete', 'test', 'breakpoints'].includes(text) ||
  text.startsWith('edit:') ||
  [commandOf, serverOf, samplerOf, editorCommandOf, debuggingOf].some((read) => read(text) !== undefined);

/** A command that the user can allow for longer than once. */
export interface AllowedCommand {
  words: readonly string[];
  /** Absolute path of its working directory, all links resolved. */
  cwd: string;
  /** All scripts of its package.json, if it runs one of them, as JSON: it is allowed while they stay so. */
  scripts?: string;
}

export const runGrant = ({ words, cwd, scripts }: AllowedCommand): `run:${string}` =>
  `run:${JSON.stringify([cwd, words, ...(scripts === undefined ? [] : [scripts])])}`;

/** Undefined if the grant is another one. */
export function commandOf(grant: string | undefined): AllowedCommand | undefined {
  const [cwd, words, scripts] = fieldsAfter<[string, string[], string?]>('run:', grant);
  return cwd === undefined || words === undefined
    ? undefined
    : { cwd, words, ...(scripts !== undefined && { scripts }) };
}

/** Whether two are the same words in the same place, perhaps with other scripts. */
export const isSameCommand = (a: AllowedCommand | undefined, b: AllowedCommand | undefined): boolean =>
  a !== undefined && a.cwd === b?.cwd && JSON.stringify(a.words) === JSON.stringify(b.words);

/** What the user allows or denies of a hosted server: one tool or all of them. */
export interface AllowedOfServer {
  /** Stands for the server as the user approved it: what they allow of it ends with that approval. */
  key: string;
  name: string;
  /** By the server's own name. */
  tool?: string;
}

export const serverGrant = ({ key, name, tool }: AllowedOfServer): `server:${string}` =>
  `server:${JSON.stringify([key, name, ...(tool === undefined ? [] : [tool])])}`;

/** Undefined if the grant is another one. */
export function serverOf(grant: string | undefined): AllowedOfServer | undefined {
  const [key, name, tool] = fieldsAfter<[string, string, string?]>('server:', grant);
  return key === undefined || name === undefined
    ? undefined
    : { key, name, ...(tool !== undefined && { tool }) };
}

/** What lets a hosted server ask language models without asking the user. */
export const samplingGrant = ({ key, name }: AllowedOfServer): `sampling:${string}` =>
  `sampling:${JSON.stringify([key, name])}`;

/** Undefined if the grant is another one. */
export function samplerOf(grant: string): AllowedOfServer | undefined {
  const [key, name] = fieldsAfter<[string, string]>('sampling:', grant);
  return key === undefined || name === undefined ? undefined : { key, name };
}

/** A command of VS Code with the arguments that the question shows. */
export interface AllowedEditorCommand {
  id: string;
  arguments: readonly unknown[];
}

/** Longest JSON of arguments that is kept, in UTF-16 units. */
const MOST_ARGUMENTS = 2_000;

/** Undefined if the arguments are too long to be kept, or too deep to be shown. */
export function editorCommandGrant({
  id,
  arguments: args,
}: AllowedEditorCommand): `command:${string}` | undefined {
  const json = jsonText([id, ...args]);
  const isWhole = json === jsonText([id, ...args], MOST_LEVELS + 1);
  return isWhole && json.length <= MOST_ARGUMENTS ? `command:${json}` : undefined;
}

/** Undefined if the grant is another one. */
export function editorCommandOf(grant: string | undefined): AllowedEditorCommand | undefined {
  const [id, ...args] = fieldsAfter<[string, ...unknown[]]>('command:', grant);
  return id === undefined ? undefined : { id, arguments: args };
}

/** What the user can allow of one debug session, until it ends. */
export interface AllowedDebugging {
  /** `control`: to let it go on, pause and end. `evaluate`: any expression. */
  what: 'control' | 'evaluate';
  /** The start's id, or VS Code's of the session: unique, even after a reload of the window. */
  id: string;
  name: string;
}

export const debugGrant = ({ what, id, name }: AllowedDebugging): `debug:${string}` =>
  `debug:${JSON.stringify([what, id, name])}`;

/** Undefined if the grant is another one. */
export function debuggingOf(grant: string | undefined): AllowedDebugging | undefined {
  const [what, id, name] = fieldsAfter<[AllowedDebugging['what'], string, string]>('debug:', grant);
  return what === undefined || id === undefined || name === undefined ? undefined : { what, id, name };
}

/** The items of the list behind a prefix; none if the text is another one. */
const fieldsAfter = <T extends readonly unknown[]>(prefix: string, grant: string | undefined): Partial<T> =>
  (grant?.startsWith(prefix) ? itemsOf(parsedJson(grant.slice(prefix.length))) : []) as unknown as Partial<T>;
