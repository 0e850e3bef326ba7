import { basename, delimiter, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt } from '../../../core/errors.ts';
import * as paths from '../../../core/paths.ts';
import type { StdioLaunch } from '../definition.ts';
import { atHome, expand, type Syntax, type Values } from './variables.ts';

/** They get their program from elsewhere: folders that they are given are data, unless they start a runner. */
const FETCHERS = /^(npx|npm|pnpm|pnpx|yarn|bunx|uvx|pipx|dnx|docker|podman|nerdctl)(\.\w+)?$/i;
const RUNNERS = /^(node|nodemon|tsx|ts-node|deno|bun|python[\d.]*|ruby|php|go)$/i;

/** What programs add to a name on their command line to find the file that they run. */
const FILE_ENDINGS = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.py', '.rb', '.sh'];
const MAIN_FILES = 'index.js index.cjs index.mjs index.ts main.py __main__.py __init__.py main.go'.split(' ');
const HAS_ENDING = /\.([cm]?[jt]sx?|py|rb|sh|go|php|pl|jar|dll|exe|cmd|bat|ps1)$/i;

/** Most words of a definition that are looked at, and most folders that they may be in. */
const MOST_WORDS = 100;
const MOST_BASES = 20;

/**
 * Absolute paths that a definition may name, whether they exist or not: its program, arguments, the words of a script in them, values
 * of its environment, and its env file, from its directory and from each folder of the workspace that it names. What these load is not
 * known. Texts with variables that have no value are left out.
 *
 * @param values and the directory that it runs in unless it says otherwise
 * @param more directories that its words may be relative to, because its program goes there
 */
export function filesNamedBy(
  launch: StdioLaunch,
  syntax: Syntax,
  values: Values & { directory: string },
  more: readonly string[] = [],
): string[] {
  const { command, args, cwd, env, envFile } = launch;
  // The server does not start without a value that is missing.
  const filled = (text: string): string[] => attempt(() => [expand(text, syntax, values)]) ?? [];
  const inFolder = (text: string) => resolve(values.folder?.path ?? values.home, atHome(text, values));
  const starts = [...(cwd ? filled(cwd).map(inFolder) : [values.directory]), ...more];
  const from = (bases: readonly string[], texts: readonly string[]) =>
    texts.flatMap((text) => bases.map((base) => resolve(base, atHome(text, values))));
  const words = few([command, ...args].flatMap(filled).flatMap(wordsIn));
  const others = few(
    Object.values(env)
      .flatMap((value) => filled(`${value ?? ''}`))
      .flatMap(wordsIn)
      .filter((word) => /[\\/]/.test(word) || HAS_ENDING.test(word)), // more than plain words
  );
  const isBelow = (path: string) =>
    values.folders.some((folder) => paths.inside(path, folder.path, values.platform));
  const below = from(starts, [...words, ...others]).filter(isBelow);
  const bases = [...starts, ...below.slice(0, MOST_BASES)];
  const fetches = FETCHERS.test(basename(command)) && !words.some((word) => RUNNERS.test(word));
  const program = fetches ? [] : words.slice(0, words.findIndex((word) => HAS_ENDING.test(word)) >>> 0);
  // The workspace folder itself is what it works on.
  const inside = program.filter((word) => !isAbsolute(word) || isBelow(word));
  const bare = words.filter((word) => !HAS_ENDING.test(word));
  return [
    ...(envFile ? filled(envFile).map(inFolder) : []),
    ...from(bases, [...words, ...others]),
    ...from(bases, bare).flatMap((path) => FILE_ENDINGS.map((end) => path + end)),
    ...from(bases, inside).flatMap((path) => MAIN_FILES.map((name) => join(path, name))),
  ];
}

const few = (words: readonly string[]): string[] => [...new Set(words)].slice(0, MOST_WORDS);

/** The text itself, the parts of a list or a script in it, what is behind `=` and short options, and modules of Python. */
function wordsIn(text: string): string[] {
  const script = text.replaceAll(/\$\w+|\$\{\w+\}/g, '.'); // as in $PWD/server.js
  const mounted = /^[a-z]:[\\/][^:]*(?=:)/i.exec(text) ?? []; // behind a drive, `:` parts as well
  const parts = [text, ...mounted, ...text.split(delimiter), ...script.split(/[\s"'`;|&()<>=,{}[\]@]+/)];
  return parts
    .flatMap((word) => [word, ...(/^-\w(.+)$/.exec(word)?.slice(1) ?? [])])
    .filter((word) => word !== '' && !word.startsWith('-'))
    .map(pathOf)
    .flatMap((word) => [
      word,
      ...(isAbsolute(word) ? [basename(word)] : []),
      ...(/^\w+(\.\w+)+$/.test(word) ? [word.replaceAll('.', '/')] : []),
    ]);
}

const pathOf = (word: string): string =>
  (word.startsWith('file:') && attempt(() => fileURLToPath(word))) || word;
