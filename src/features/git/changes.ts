import type * as vscode from 'vscode';
import { changesOf, type Repository } from '../../services/git/gitApi.ts';
import type { Context } from '../context.ts';
import { editorResource } from '../editorResource.ts';

/** What is changed in source control, and the diff of one file. */
export const changes = editorResource({
  name: 'changes',
  all: {
    title: 'Source control changes',
    description:
      'The branch and the changed files of each Git repository, as the source control view shows them.',
    priority: 0.7,
    read: ({ git }) => git.changes(),
  },
  ofFile: {
    title: 'Diff of a file',
    description:
      'How a file, unsaved text included, differs from the last commit, as a unified diff; of a notebook its cells.',
    mimeType: 'text/x-diff',
    locate: (path, { git }) => git.locate(path),
    read: (path, { git }) => git.diff(path),
  },

  require: ({ git }) => git.require(),

  // Git may take its time to start, and is not waited for.
  isListed: ({ git }) => git.hasRepository,

  watch: (ctx, onList) => {
    let known = ctx.git.hasRepository;
    const compare = () => {
      const now = ctx.git.hasRepository;
      if (now !== known) onList();
      known = now;
    };
    return ctx.git.listen((git) => {
      compare();
      return [git.onDidOpenRepository(compare), git.onDidCloseRepository(compare)];
    }, notFollowed(ctx));
  },

  follow: (ctx, { of, only }) =>
    ctx.vscode.Disposable.from(
      ctx.git.listen((git) => {
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
      }, notFollowed(ctx)),
      ctx.files.watch(() => {}, only),
    ),
});

/** Git looks again and again at what is changed: told is only what this agent would see of a difference. */
function follow(repository: Repository, { files }: Context, changed: () => void): vscode.Disposable {
  const print = () =>
    JSON.stringify([
      repository.state.HEAD,
      changesOf(repository)
        .filter(({ uri }) => files.mayTellOf(uri))
        .map(({ uri, status }) => [uri.toString(), status]),
    ]);
  let known = print();
  return repository.state.onDidChange(() => {
    const now = print();
    if (now !== known) changed();
    known = now;
  });
}

const notFollowed =
  ({ log }: Context) =>
  (error: Error) =>
    log.debug(`Git is not followed: ${error.message}`);
