/** The languages of files by their names, without loading them. */
import { posix } from 'node:path';
import type * as vscode from 'vscode';
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

/** As VS Code finds languages now, except by the first line of a file. */
export function languagesIn({ extensions, workspace }: Pick<typeof vscode, 'extensions' | 'workspace'>) {
  const contributed = extensions.all.flatMap(
    ({ packageJSON }): ContributedLanguage[] => packageJSON.contributes?.languages ?? [],
  );
  const associations = workspace.getConfiguration('files').get<Record<string, string>>('associations');
  return languagesBy(contributed, associations ?? {});
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
  const [names, endings] = [new Map<string, string>(), new Map<string, string>()];
  const patterns: [pattern: string, id: string][] = [];
  for (const { id, extensions = [], filenames = [], filenamePatterns = [] } of contributed) {
    for (const name of filenames) names.set(name.toLowerCase(), id);
    for (const ending of extensions) endings.set(ending.toLowerCase(), id);
    for (const pattern of filenamePatterns) patterns.push([pattern, id]);
  }
  const byUser = matcherOf(Object.entries(associations));
  const byPattern = matcherOf(patterns);
  const of = (path: string): string | undefined => {
    const whole = path.toLowerCase().replace(/^\//, '');
    const name = posix.basename(whole);
    return byUser(whole) ?? names.get(name) ?? byPattern(whole) ?? longestEnding(name, endings);
  };
  const named = [
    ...contributed.flatMap(({ id, extensions = [], filenames = [], filenamePatterns = [] }) =>
      [...extensions.map((ending) => `*${ending}`), ...filenames, ...filenamePatterns].map(
        (glob) => [glob, id] as const,
      ),
    ),
    ...Object.entries(associations),
  ];
  const globs = (languageIds: readonly string[]): string[] => [
    ...new Set(named.flatMap(([glob, id]) => (languageIds.includes(id) ? [glob] : []))),
  ];
  return { of, globs };
}

/** Of several patterns the longest counts. */
function matcherOf(patterns: readonly (readonly [pattern: string, id: string])[]) {
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

const C_FAMILY = ['c', 'cpp', 'objective-c', 'objective-cpp', 'cuda-cpp'];

/** The languages whose files may use what is declared in one of them: the headers of C and C++ serve both. */
export const familyOf = (languageId: string): readonly string[] =>
  C_FAMILY.includes(languageId) ? C_FAMILY : [languageId];
