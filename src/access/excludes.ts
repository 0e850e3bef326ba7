import { Minimatch } from 'minimatch';
import type * as vscode from 'vscode';

/** What `files.exclude` leaves out of a folder. */
export interface Excludes {
  /** Globs that hold always. */
  globs: readonly string[];
  /** Whether there are globs that hold only beside a sibling. */
  hasConditions: boolean;
  /** Whether a file is left out because of a sibling, as in `{"**\/*.js": {"when": "$(basename).ts"}}`. */
  bySibling(path: string, exists: (path: string) => boolean): boolean;
}

export function readExcludes({ getConfiguration }: typeof vscode.workspace, folder: vscode.Uri): Excludes {
  const entries = Object.entries(
    getConfiguration('files', folder).get<Record<string, unknown>>('exclude', {}),
  );
  const conditional = entries
    .map(([glob, value]) => ({
      glob: new Minimatch(glob, { dot: true, nocomment: true, nonegate: true }),
      when: (value as { when?: unknown } | null)?.when,
    }))
    .filter((entry): entry is { glob: Minimatch; when: string } => typeof entry.when === 'string');
  return {
    globs: entries.filter(([, value]) => value === true).map(([glob]) => glob),
    hasConditions: conditional.length > 0,
    bySibling: (path, exists) =>
      conditional.some(({ glob, when }) => glob.match(path) && exists(siblingOf(path, when))),
  };
}

function siblingOf(path: string, when: string): string {
  const slash = path.lastIndexOf('/') + 1;
  const name = path.slice(slash);
  const dot = name.lastIndexOf('.');
  return path.slice(0, slash) + when.replace('$(basename)', () => (dot > 0 ? name.slice(0, dot) : name));
}
