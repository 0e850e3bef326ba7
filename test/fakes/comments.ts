import type * as vscode from 'vscode';

/** A comment controller of VS Code, with the threads that it shows, from the oldest to the newest. */
export class FakeController {
  readonly threads: vscode.CommentThread[] = [];
  commentingRangeProvider: vscode.CommentingRangeProvider | undefined;
  options: vscode.CommentOptions | undefined;

  createCommentThread(uri: vscode.Uri, range: vscode.Range, comments: readonly vscode.Comment[]) {
    const dispose = () => void this.threads.splice(this.threads.indexOf(thread), 1);
    const thread = { uri, range, comments, collapsibleState: 0, canReply: true, dispose };
    this.threads.push(thread);
    return thread;
  }

  dispose(): void {
    this.threads.splice(0);
  }

  get api(): vscode.CommentController {
    return this as unknown as vscode.CommentController;
  }
}
