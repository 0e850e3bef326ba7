import type { Change } from '../../../src/services/git/gitApi.ts';
import type { FakeRepository } from '../../fakes/git.ts';
import type { Window } from './window.ts';

/** Statuses of a change in the extension Git. */
export const [RENAMED, MODIFIED, DELETED, UNTRACKED] = [3, 5, 6, 7];

/** A file that differs from the last commit. @param former its name there */
export const change = ({ fake, path }: Window, file: string, status = MODIFIED, former = file): Change => ({
  uri: fake.api.Uri.file(path(former)),
  originalUri: fake.api.Uri.file(path(former)),
  renameUri: former === file ? undefined : fake.api.Uri.file(path(file)),
  status,
});

/** A repository in the folder. */
export const opensGit = ({ fake, path }: Window): FakeRepository =>
  fake.git.opens(fake.api.Uri.file(path('')));
