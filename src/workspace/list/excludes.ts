import { Minimatch } from 'minimatch';
import type * as vscode from 'vscode';

/** What `files.exclude` and `search.exclude` leave out of a folder. */
export interface Excludes {
  /** Globs that hold always. */
  globs: readonly string[];
  /** Whether there are globs that hold only beside a sibling. */
  hasConditions: boolean;
  /** Whether a file is left out because of a sibling, as in `{"**\/*.js": {"when": "$(basename).ts"}}`. */
  bySibling(path: string, exists: (path: string) => boolean): boolean;
  /** Whether one of the globs that hold always leaves a file or folder out, or a folder that it lies in. */
  byName(path: string): boolean;
}

/** As VS Code's own search takes them: what `search.exclude` says of a glob counts, also where it is `false`. */
export function readExcludes({ getConfiguration }: typeof vscode.workspace, folder: vscode.Uri): Excludes {
  const read = (section: string) =>
    getConfiguration(section, folder).get<Record<string, unknown>>('exclude', {});
  const entries = Object.entries({ ...read('files'), ...read('search') });
  const conditional = entries
    .map(([glob, value]) => ({ glob: compiled(glob), when: (value as { when?: unknown } | null)?.when }))
    .filter((entry): entry is { glob: Minimatch; when: string } => typeof entry.when === 'string');
  const globs = entries.filter(([, value]) => value === true).map(([glob]) => glob);
  let matchers: readonly Minimatch[] | undefined;
  return {
    globs,
    hasConditions: conditional.length > 0,
    bySibling: (path, exists) =>
      conditional.some(({ glob, when }) => glob.match(path) && exists(siblingOf(path, when))),
    byName: (path) => {
      matchers ??= globs.flatMap((glob) => [glob, `${glob}/**`]).map(compiled);
      return matchers.some((one) => one.match(path));
    },
  };
}

const compiled = (glob: string): Minimatch =>
  new Minimatch(glob, { dot: true, nocomment: true, nonegate: true });

function siblingOf(path: string, when: string): string {
  const slash = path.lastIndexOf('/') + 1;
  const name = path.slice(slash);
  const dot = name.lastIndexOf('.');
  return path.slice(0, slash) + when.replace('$(basename)', () => (dot > 0 ? name.slice(0, dot) : name));
}
