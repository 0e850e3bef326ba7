import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../util/events.ts';
import type { Log } from '../util/log.ts';
import type { CommentsLater } from '../workspace/comments/comments.ts';
import type { CommentThreads } from './comments/commentThreads.ts';
import { lazily } from './lazily.ts';
import { showsCommentGutter } from './settings.ts';

/** Comments on lines of files. Until there is one, also from before a reload, it is the `+` in the gutter and no more. */
export function commentsLater(storage: vscode.Uri | undefined, log: Log) {
  const path = storage?.scheme === 'file' ? join(storage.fsPath, 'comments.json') : undefined;
  const isStored = () => path !== undefined && existsSync(path);
  const changes = new Emitter();
  let gutter: Gutter | undefined;
  let made: CommentThreads | undefined;
  const offered = () => {
    gutter ??= new Gutter();
    return gutter;
  };
  const threads = lazily(async () => {
    const { openComments } = await import('./lazyCommands.ts');
    made = await openComments(offered().controller, path, log);
    made.comments.onDidChange(() => changes.fire());
    return made;
  });
  const comments: CommentsLater = {
    get isNone() {
      return made ? made.comments.threads.length === 0 : !isStored();
    },
    load: async () => (await threads()).comments,
    onDidChange: (listener) => changes.listen(listener),
  };
  return {
    comments,
    threads,
    /** Call it when the window has started: VS Code takes half a millisecond for the gutter. */
    start: async () => {
      offered();
      if (isStored()) await threads();
    },
    close: () => made?.close(),
    dispose() {
      made?.dispose();
      gutter?.dispose();
    },
  };
}

/** Files of the workspace can be commented on, all of their lines. */
class Gutter {
  readonly controller = vscode.comments.createCommentController('workspaceMcp', 'Workspace MCP');
  readonly #listening: vscode.Disposable;

  constructor() {
    const { l10n, workspace } = vscode;
    this.controller.options = {
      prompt: l10n.t('Reply…'),
      placeHolder: l10n.t('Agents can read and answer it'),
    };
    this.#offer();
    this.#listening = workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('workspaceMcp.comments')) this.#offer();
    });
  }

  dispose(): void {
    this.#listening.dispose();
    this.controller.dispose();
  }

  /** VS Code asks for the ranges again. */
  #offer(): void {
    const { workspace, Range } = vscode;
    this.controller.commentingRangeProvider = {
      provideCommentingRanges: ({ uri, lineCount }) =>
        showsCommentGutter() && workspace.getWorkspaceFolder(uri) ? [new Range(0, 0, lineCount - 1, 0)] : [],
    };
  }
}
