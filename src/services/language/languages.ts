/** The languages of files by their names, without loading them. */
import { posix } from 'node:path';
import type * as vscode from 'vscode';
import { C_FAMILY, isCFamily } from '../../core/kinds.ts';
import { globMatchers } from '../../util/glob.ts';

/** An entry of `contributes.languages` in an extension's manifest. */
export interface ContributedLanguage {
  id: string;
  extensions?: readonly string[];
  filenames?: readonly string[];
  filenamePatterns?: readonly string[];
}

export interface Languages {
  /** The language of a file; undefined if its name does not tell. @param path with `/` */
  of(path: string): string | undefined;
  /** Globs of the names of files in some languages. */
  globs(languageIds: readonly string[]): string[];
}

type Extensions = typeof vscode.extensions;
let last: { extensions: Extensions; key: string; languages: Languages } | undefined;

/** As VS Code finds languages now, except by the first line of a file. Kept while the extensions and associations are the same. */
export function languagesIn(code: Pick<typeof vscode, 'extensions' | 'workspace'>): Languages {
  const { extensions, workspace } = code;
  const associations = workspace.getConfiguration('files').get<Record<string, string>>('associations');
  const key = JSON.stringify([extensions.all.map(({ id }) => id), associations]);
  if (last?.extensions !== extensions || last.key !== key)
    last = { extensions, key, languages: languagesNow(extensions, associations ?? {}) };
  return last.languages;
}

function languagesNow(extensions: Extensions, associations: Readonly<Record<string, string>>): Languages {
  const contributed = extensions.all.flatMap(
    ({ packageJSON }): ContributedLanguage[] => packageJSON.contributes?.languages ?? [],
  );
  return languagesBy(contributed, associations);
}

/**
 * The user's associations count first; then a whole name, a pattern and an extension, the longest one; of two the last.
 *
 * @param associations the setting `files.associations`: a glob or the end of a name, and a language
 */
export function languagesBy(
  contributed: readonly ContributedLanguage[],
  associations: Readonly<Record<string, string>>,
): Languages {
  const namesBy = (by: 'extensions' | 'filenames' | 'filenamePatterns'): Named[] =>
    contributed.flatMap((one) => (one[by] ?? []).map((name) => [name, one.id] as const));
  const [endings, names, patterns] = [
    namesBy('extensions'),
    namesBy('filenames'),
    namesBy('filenamePatterns'),
  ];
  const users = Object.entries(associations);
  const [byUser, byPattern] = [matcherOf(users), matcherOf(patterns)];
  const [byName, byEnding] = [lastOf(names), lastOf(endings)];
  const of = (path: string): string | undefined => {
    const whole = path.toLowerCase().replace(/^\//, '');
    const name = posix.basename(whole);
    return byUser(whole) ?? byName.get(name) ?? byPattern(whole) ?? longestEnding(name, byEnding);
  };
  const ofEndings = endings.map(([ending, id]): Named => [`*${ending}`, id]);
  const named = [...ofEndings, ...names, ...patterns, ...users];
  const globs = (languageIds: readonly string[]): string[] => [
    ...new Set(named.flatMap(([glob, id]) => (languageIds.includes(id) ? [glob] : []))),
  ];
  return { of, globs };
}

type Named = readonly [name: string, languageId: string];

const lastOf = (all: readonly Named[]) => new Map(all.map(([name, id]) => [name.toLowerCase(), id]));

/** The longest pattern that matches counts. */
function matcherOf(patterns: readonly Named[]) {
  const sorted = patterns.toReversed().sort(([a], [b]) => b.length - a.length);
  const matchers = globMatchers(sorted.map(([pattern]) => pattern.toLowerCase()));
  return (path: string): string | undefined => sorted[matchers.findIndex((matches) => matches(path))]?.[1];
}

function longestEnding(name: string, endings: ReadonlyMap<string, string>): string | undefined {
  for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) {
    const id = endings.get(name.slice(at));
    if (id) return id;
  }
  return undefined;
}

/** The languages whose files may use what is declared in one of them: the headers of C and C++ serve both. */
export const familyOf = (languageId: string): readonly string[] =>
  isCFamily(languageId) ? C_FAMILY : [languageId];

/** Globs of the notebooks whose cells may use what is declared in some languages: those of Jupyter, which gave it its name. */
export const notebooksFor = (languageIds: readonly string[]): string[] =>
  languageIds.some((id) => /^(julia|python|r)$/.test(id)) ? ['*.ipynb'] : [];
