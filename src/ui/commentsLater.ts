import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Log } from '../util/log.ts';
import type { CommentsLater } from '../workspace/comments/comments.ts';
import type { CommentThreads } from './comments/commentThreads.ts';
import { lazily } from './lazily.ts';
import { showsCommentGutter } from './settings.ts';

/** Comments on lines of files. Until there is one, also from before a reload, it is the `+` in the gutter and no more. */
export function commentsLater(storage: vscode.Uri | undefined, log: Log) {
  const controller = vscode.comments.createCommentController('workspaceMcp', 'Workspace MCP');
  const gutter = offerGutter(controller);
  const path = storage?.scheme === 'file' ? join(storage.fsPath, 'comments.json') : undefined;
  const isStored = path !== undefined && existsSync(path);
  let made: CommentThreads | undefined;
  const threads = lazily(async () => {
    const { openComments } = await import('./lazyCommands.ts');
    made = await openComments(controller, path, log);
    return made;
  });
  const comments: CommentsLater = {
    get isNone() {
      return made ? made.comments.threads.length === 0 : !isStored;
    },
    load: async () => (await threads()).comments,
  };
  return {
    comments,
    threads,
    /** Call it when the window has started. */
    restore: async () => {
      if (isStored) await threads();
    },
    close: () => made?.close(),
    dispose() {
      gutter.dispose();
      made?.dispose();
      controller.dispose();
    },
  };
}

/** Files of the workspace can be commented on, all of their lines. */
function offerGutter(controller: vscode.CommentController): vscode.Disposable {
  const { workspace, l10n, Range } = vscode;
  const offer = () => {
    controller.commentingRangeProvider = {
      provideCommentingRanges: ({ uri, lineCount }) =>
        showsCommentGutter() && workspace.getWorkspaceFolder(uri) ? [new Range(0, 0, lineCount - 1, 0)] : [],
    };
  };
  controller.options = { prompt: l10n.t('Reply…'), placeHolder: l10n.t('Agents can read and answer it') };
  offer();
  return workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('workspaceMcp.comments')) offer(); // VS Code asks again then
  });
}
