import type * as vscode from 'vscode';
import { readDiff } from '../services/git/fileDiff.ts';
import {
  changesOf,
  hasRepository,
  listenToGit,
  locateChanged,
  type Repository,
  readChanges,
  requireGit,
  watchForRepositories,
} from '../services/git/gitApi.ts';
import { whenDifferent } from '../util/events.ts';
import type { Context } from './context.ts';
import { editorResource } from './editorResource.ts';
import type { Domain } from './features.ts';

/** The changes in source control, and the diff of one file. */
export const changes = editorResource({
  name: 'changes',
  all: {
    title: 'Source control changes',
    description: 'The branch and the changed files of each Git repository, as in the Source Control view.',
    priority: 0.7,
    read: (ctx) => readChanges(ctx),
  },
  ofFile: {
    title: 'Diff of a file',
    description:
      'Unified diff of a file, unsaved text included, against the last commit; of a notebook, its cells.',
    mimeType: 'text/x-diff',
    locate: locateChanged,
    read: (path, ctx) => readDiff(path, ctx),
  },

  require: async ({ vscode }) => {
    await requireGit(vscode);
  },

  // Git may start slowly: the list does not wait for it.
  isListed: ({ vscode }) => hasRepository(vscode),

  watch: watchForRepositories,

  follow: (ctx, { of, only }) =>
    ctx.vscode.Disposable.from(
      listenToGit(ctx, (git) => {
        const followed = new Map<Repository, vscode.Disposable>();
        const begin = (repository: Repository) =>
          void followed.set(
            repository,
            follow(repository, ctx, () => of(repository.rootUri)),
          );
        git.repositories.forEach(begin);
        return [
          git.onDidOpenRepository((repository) => {
            begin(repository);
            of(repository.rootUri);
          }),
          git.onDidCloseRepository((repository) => {
            followed.get(repository)?.dispose();
            followed.delete(repository);
            of(repository.rootUri);
          }),
          { dispose: () => ctx.vscode.Disposable.from(...followed.values()).dispose() },
        ];
      }),
      ctx.files.watchContent(only),
    ),
});

/** Git refreshes often: only differences that this agent can see are reported. */
function follow(repository: Repository, { files }: Context, changed: () => void): vscode.Disposable {
  const print = () =>
    JSON.stringify([
      repository.state.HEAD,
      changesOf(repository)
        .filter(({ uri }) => files.mayKnow(uri))
        .map(({ uri, status }) => [uri.toString(), status]),
    ]);
  return repository.state.onDidChange(whenDifferent(print, changed));
}

/** Source control. */
export const git: Domain = { resources: [changes] };
