import { UserError } from '../../core/errors.ts';
import type { Scope } from '../scope.ts';
import type { Since } from './fileDiff.ts';
import { changesOf, type Repository, requireRepositories, STATUS } from './gitApi.ts';

/** The names of all branches, local ones first, as the agent may read them. @throws UserError */
export async function branchNames({ vscode, files }: Scope): Promise<string[]> {
  const names: string[] = [];
  for (const repository of await requireRepositories(vscode))
    for (const remote of [false, true])
      for (const { name } of await repository.getBranches({ remote })) if (name) names.push(name);
  return [...new Set(names)].map((name) => files.redactor.text(name));
}

/**
 * What differs in each repository from where it left a branch, or from the last commit.
 *
 * @param base a branch or a commit's hash
 * @throws UserError if no repository has it
 */
export async function changesSince(base: string | undefined, scope: Scope): Promise<Since[]> {
  const repositories = await requireRepositories(scope.vscode);
  if (base === undefined) return repositories.map((one) => ({ ref: 'HEAD', changes: changesOf(one) }));
  // It becomes an argument of Git, for which it might be an option.
  const known = await branchNames(scope);
  if (!known.includes(base) && !/^[\da-f]{4,40}$/i.test(base))
    throw new UserError(`There is no branch "${base}". Pass one of: ${known.slice(0, 20).join(', ')}.`);
  const found = await Promise.all(repositories.map((one) => since(base, one)));
  const all = found.filter((one) => one !== undefined);
  if (all.length === 0) throw new UserError(`Git finds no common commit with "${base}".`);
  return all;
}

/** Undefined if the repository does not have it. */
async function since(base: string, repository: Repository): Promise<Since | undefined> {
  const ref = await repository.getMergeBase(base, 'HEAD').catch(() => undefined);
  if (!ref) return undefined;
  const isNew = ({ status }: { status: number }) => STATUS[status] === 'untracked';
  return { ref, changes: [...(await repository.diffWith(ref)), ...changesOf(repository).filter(isNew)] };
}
