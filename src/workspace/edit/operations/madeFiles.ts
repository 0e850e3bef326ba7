import { join } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import { type Made, wouldBecomeGit } from '../../../disk/gitParts.ts';

/** What comes to a path on this disk; nothing in a virtual file system, which Git does not use. */
export function madeAt(
  { realPath }: { realPath?: string | undefined },
  isFolder: boolean,
  entries: readonly { path: string; isFolder: boolean }[] = [],
): Made {
  if (realPath === undefined) return new Map();
  const inside = entries.map((one) => [join(realPath, one.path), one.isFolder] as const);
  return new Map([[realPath, isFolder], ...inside]);
}

/** @throws UserError if a directory would become one of Git, which is closed to agents */
export async function requireNoGit(made: Made): Promise<void> {
  const directory = await wouldBecomeGit(made);
  if (directory === undefined) return;
  throw new UserError(
    `Nothing was changed: ${directory} would become a Git directory, which can make Git run programs. Ask the user to do it.`,
  );
}
