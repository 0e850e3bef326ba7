import { basename, delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StdioLaunch } from '../definition.ts';
import type { L10n } from '../problems.ts';
import { expand, type Syntax, type Values } from './variables.ts';

/** They get their program from elsewhere: what else they are given is data, or a file by its whole name. */
const FETCHES = /^(npx|npm|pnpm|pnpx|yarn|bunx|uvx|pipx|dnx|docker|podman|nerdctl)(\.\w+)?$/i;

/** What interpreters add to a name to find the file that they run. */
const ENDS = ['.js', '.py'];
const INSIDE = ['index.js', 'index.cjs', 'index.mjs', 'index.ts', '__main__.py', '__init__.py'];

/** Most words of a definition that are looked at: some have a whole script in an argument. */
const MOST = 1_000;

/**
 * Absolute paths that a definition may name, whether they exist or not: its program, arguments, the words of a script in them, values
 * of its environment, and its env file. What these load is not known. Texts with variables that have no value are left out.
 *
 * @param values and the directory that it runs in unless it says otherwise
 * @param more directories that its words may be relative to, because its program goes there
 */
export function namedFiles(
  launch: StdioLaunch,
  syntax: Syntax,
  values: Values & { directory: string },
  l10n: L10n,
  more: readonly string[] = [],
): string[] {
  const { command, args, cwd, env, envFile } = launch;
  const filled = (text: string): string[] => {
    try {
      return [expand(text, syntax, values, l10n)];
    } catch {
      return []; // the server does not start without that value
    }
  };
  const inFolder = (text: string) => resolve(values.folder?.path ?? values.home, atHome(text, values));
  const bases = [...(cwd ? filled(cwd).map(inFolder) : [values.directory]), ...more];
  const pathsOf = (texts: readonly string[]) =>
    [...new Set(texts)]
      .slice(0, MOST)
      .flatMap((text) => bases.map((base) => resolve(base, atHome(text, values))));
  const called = [command, ...args].flatMap(filled);
  const others = Object.values(env).flatMap((value) => filled(`${value ?? ''}`));
  const words = called.flatMap(wordsIn);
  const programs = FETCHES.test(basename(command)) ? [] : pathsOf([...words, ...words.flatMap(modules)]);
  return [
    ...(envFile ? filled(envFile).map(inFolder) : []),
    ...pathsOf([...words, ...others.flatMap(wordsIn)]),
    ...programs.flatMap((path) => [
      ...ENDS.map((end) => path + end),
      ...INSIDE.map((name) => join(path, name)),
    ]),
  ];
}

const atHome = (text: string, { home }: Values): string => text.replace(/^~(?=$|[\\/])/, () => home);

/** The text itself, the parts of a list or a script in it, and what is behind `=`. */
const wordsIn = (text: string): string[] =>
  [text, ...text.split(delimiter), ...text.split(/[\s"'`;|&()<>=,]+/)]
    .filter((word) => word !== '')
    .map(pathOf);

function pathOf(word: string): string {
  try {
    return word.startsWith('file:') ? fileURLToPath(word) : word;
  } catch {
    return word;
  }
}

/** `package.module`, as Python takes it with `-m`. */
const modules = (word: string): string[] => (/^\w+(\.\w+)+$/.test(word) ? [word.replaceAll('.', '/')] : []);
