import type * as vscode from 'vscode';
import { NotFoundError, UserError } from '../../core/errors.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Scope } from '../scope.ts';
import {
  type Change,
  changesOf,
  type Repository,
  requireGit,
  requireRepositories,
  STATUS,
} from './gitApi.ts';

/** Most changed files reported per repository. */
const MOST_CHANGES = 1_000;

interface ChangedFile {
  path: string;
  status: string;
  /** The former path of a renamed file. */
  from?: string;
}

export interface RepositoryChanges {
  /** Only if the agent may see it. */
  root?: string;
  branch?: string;
  commit?: string;
  ahead?: number;
  behind?: number;
  changes: ChangedFile[];
  leftOut?: number;
}

/** The changes in the window's repositories, as in the source control view. @throws UserError */
export async function readChanges(ctx: Scope): Promise<{ repositories: RepositoryChanges[] }> {
  const repositories = await requireRepositories(ctx.vscode);
  const read = await Promise.all(repositories.map((repository) => changesIn(repository, ctx)));
  return { repositories: read.filter((one) => one !== undefined) };
}

/** Undefined if the agent may see nothing in the repository. */
async function changesIn(repository: Repository, ctx: Scope): Promise<RepositoryChanges | undefined> {
  const { HEAD } = repository.state;
  const root = await ctx.files.permitted(repository.rootUri);
  const shown = await Promise.all(changesOf(repository).map((change) => changedFile(change, ctx)));
  const changes = shown.filter((one) => one !== undefined);
  if (!root && changes.length === 0) return undefined;
  const { name, commit, ahead, behind } = HEAD ?? {};
  return {
    ...(root && { root: root.path }),
    ...(name && { branch: ctx.files.redactor.text(name) }),
    ...(commit && { commit }),
    ...(ahead && { ahead }),
    ...(behind && { behind }),
    changes: changes.slice(0, MOST_CHANGES),
    ...(changes.length > MOST_CHANGES && { leftOut: changes.length - MOST_CHANGES }),
  };
}

/** The file's current URI. */
export const presentUri = ({ uri, renameUri }: Change): vscode.Uri => renameUri ?? uri;

/** A changed file as the agent may know it, also a deleted one; undefined if it is closed. */
export async function locateChange(
  change: Change,
  { files }: Scope,
): Promise<Pick<Location, 'uri' | 'targetUri' | 'path'> | undefined> {
  const uri = presentUri(change);
  // A deleted file is checked by its name.
  return files.locateUri(uri.toString()).catch((error) => {
    if (error instanceof NotFoundError && files.mayTellOf(uri)) return { uri, path: files.displayPath(uri) };
    if (error instanceof UserError) return undefined;
    throw error;
  });
}

async function changedFile(change: Change, ctx: Scope): Promise<ChangedFile | undefined> {
  const { files } = ctx;
  const uri = presentUri(change);
  const location = await locateChange(change, ctx);
  const { originalUri } = change;
  const isRenamed = originalUri.toString() !== uri.toString() && files.mayTellOf(originalUri);
  const from = isRenamed ? files.displayPath(originalUri) : undefined;
  const status = STATUS[change.status] ?? 'changed';
  if (location) return { path: location.path, status, ...(from !== undefined && { from }) };
  // The new name is closed to the agent: report the old name as deleted.
  return from !== undefined && /renamed/.test(status)
    ? { path: from, status: status.replace('renamed', 'deleted') }
    : undefined;
}

/** Locates a changed file by its path, also a deleted one. @throws UserError, NotFoundError */
export async function locateChanged(
  path: string,
  ctx: Scope,
): Promise<Pick<Location, 'uri' | 'targetUri' | 'path'>> {
  try {
    return await ctx.files.locate(path);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const { repositories } = await requireGit(ctx.vscode);
    const all = repositories.flatMap(changesOf).flatMap(({ uri, originalUri }) => [uri, originalUri]);
    for (const uri of all) {
      if (ctx.files.displayPath(uri) === path && ctx.files.mayTellOf(uri)) return { uri, path };
    }
    throw error;
  }
}
