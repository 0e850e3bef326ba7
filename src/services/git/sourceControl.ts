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

/** Most changed files of one repository. */
const MOST = 1_000;

interface ChangedFile {
  path: string;
  status: string;
  /** Of a renamed file. */
  from?: string;
}

export interface RepositoryChanges {
  /** Where the agent may know of it. */
  root?: string;
  branch?: string;
  commit?: string;
  ahead?: number;
  behind?: number;
  changes: ChangedFile[];
  leftOut?: number;
}

/** What is changed in the repositories of the window, as the source control view shows it. @throws UserError */
export async function readChanges(ctx: Scope): Promise<{ repositories: RepositoryChanges[] }> {
  const repositories = await requireRepositories(ctx.vscode);
  const read = await Promise.all(repositories.map((repository) => changesIn(repository, ctx)));
  return { repositories: read.filter((one) => one !== undefined) };
}

/** Undefined where the agent may know of nothing in it. */
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
    changes: changes.slice(0, MOST),
    ...(changes.length > MOST && { leftOut: changes.length - MOST }),
  };
}

/** The file as it is called now. */
export const presentUri = ({ uri, renameUri }: Change): vscode.Uri => renameUri ?? uri;

async function changedFile(change: Change, { files }: Scope): Promise<ChangedFile | undefined> {
  const uri = presentUri(change);
  // One that has gone is judged by its name.
  const location = await files.locateUri(uri.toString()).catch((error) => {
    if (error instanceof NotFoundError && files.mayTellOf(uri)) return { path: files.displayPath(uri) };
    if (error instanceof UserError) return undefined;
    throw error;
  });
  const { originalUri } = change;
  const isRenamed = originalUri.toString() !== uri.toString() && files.mayTellOf(originalUri);
  const from = isRenamed ? files.displayPath(originalUri) : undefined;
  const status = STATUS[change.status] ?? 'changed';
  if (location) return { path: location.path, status, ...(from !== undefined && { from }) };
  // Where it went is none of the agent's business, that it went is.
  return from !== undefined && /renamed/.test(status)
    ? { path: from, status: status.replace('renamed', 'deleted') }
    : undefined;
}

/** A changed file by its path, also one that is deleted. @throws UserError, NotFoundError */
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
