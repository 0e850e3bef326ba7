import { Minimatch } from 'minimatch';
import type * as vscode from 'vscode';

/** Files of a folder that `files.exclude` and `search.exclude` exclude. */
export interface Excludes {
  /** Unconditional globs. */
  globs: readonly string[];
  /** Whether there are globs with a `when` condition. */
  hasConditions: boolean;
  /** Whether a file is excluded because of a sibling, as in `{"**\/*.js": {"when": "$(basename).ts"}}`. */
  bySibling(path: string, exists: (path: string) => boolean): boolean;
  /** Whether an unconditional glob excludes a file or folder, or a folder above it. */
  byName(path: string): boolean;
}

/** Like VS Code's own search: `search.exclude` overrides `files.exclude` for the same glob, also with `false`. */
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
