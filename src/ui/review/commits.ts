import * as vscode from 'vscode';
import { withLf } from '../../core/text/replacements.ts';
import { listenToGit, type Repository } from '../../services/git/gitApi.ts';
import type { Log } from '../../util/log.ts';
import type { ChangedFiles } from './changedFiles.ts';
import { present } from './present.ts';

/** Keeps the changes of a file when a commit has all of its present text, or that it is gone. */
export function keepCommitted(changed: ChangedFiles, log: Log): vscode.Disposable {
  /** By root, because Git's API makes new objects: the last commit that is known; undefined before the first one. */
  const commits = new Map<string, string | undefined>();
  const look = async (repository: Repository) => {
    const { HEAD } = repository.state;
    if (!HEAD) return; // not read yet
    const root = repository.rootUri.toString();
    const [isKnown, before] = [commits.has(root), commits.get(root)];
    commits.set(root, HEAD.commit);
    if (!isKnown || before === HEAD.commit || HEAD.commit === undefined) return;
    await keepEqual(changed, repository, before, HEAD.commit);
  };
  return listenToGit({ vscode, log }, (git) => {
    const followed = new Map<string, { dispose(): void }>();
    const lookNow = (repository: Repository) => void look(repository).catch(log.error);
    const follow = (repository: Repository) => {
      lookNow(repository);
      followed.set(
        repository.rootUri.toString(),
        repository.state.onDidChange(() => lookNow(repository)),
      );
    };
    git.repositories.forEach(follow);
    return [
      git.onDidOpenRepository(follow),
      git.onDidCloseRepository(({ rootUri }) => {
        const root = rootUri.toString();
        followed.get(root)?.dispose();
        followed.delete(root);
        commits.delete(root);
      }),
      { dispose: () => vscode.Disposable.from(...followed.values()).dispose() },
    ];
  });
}

/** Only what the commit itself has changed: an agent may just have put the text of the last commit back. What is stashed stays, too. */
async function keepEqual(
  changed: ChangedFiles,
  repository: Repository,
  before: string | undefined,
  commit: string,
): Promise<void> {
  for (const file of changed.list()) {
    const { uri, steps } = file;
    const { text } = await present(changed, file);
    if (!changed.isListed(uri)) continue;
    const contentIn = text === undefined ? bytesIn : textIn;
    const committed = await contentIn(repository, commit, uri);
    if (committed !== (text ?? (await bytesOf(uri)))) continue;
    if (before !== undefined && committed === (await contentIn(repository, before, uri))) continue;
    if (before !== undefined || committed !== undefined) changed.keep(file, steps);
  }
}

/** Undefined if the commit does not have it. */
const textIn = (repository: Repository, commit: string, uri: vscode.Uri): Promise<string | undefined> =>
  repository.show(commit, uri.fsPath).then(withLf, nothing);

/** Bytes are compared as texts with a character for each. */
const inCharacters = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const nothing = () => undefined;

const bytesIn = (repository: Repository, commit: string, uri: vscode.Uri): Promise<string | undefined> =>
  repository.buffer(commit, uri.fsPath).then(inCharacters, nothing);

const bytesOf = (uri: vscode.Uri): Thenable<string | undefined> =>
  vscode.workspace.fs.readFile(uri).then(inCharacters, nothing);
