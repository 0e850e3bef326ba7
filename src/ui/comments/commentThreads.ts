import * as vscode from 'vscode';
import { visibleText } from '../../core/text/visible.ts';
import type { Log } from '../../util/log.ts';
import { Comments } from '../../workspace/comments/comments.ts';
import { type Comment, isOpen, linesOf, type Thread } from '../../workspace/comments/thread.ts';
import { confirmed } from '../messages.ts';
import { CommentStore } from './commentStore.ts';
import { commentsText } from './commentsText.ts';
import { labelOf, nameOf, throwIfFull, throwIfLong } from './threadWords.ts';

const { l10n } = vscode;

/** Reads what is stored, and shows it. @param path without one, nothing is stored */
export async function openComments(
  controller: vscode.CommentController,
  path: string | undefined,
  log: Log,
): Promise<CommentThreads> {
  const comments = new Comments(vscode);
  const store = path === undefined ? undefined : new CommentStore(comments, path, log);
  await store?.restore();
  return new CommentThreads(controller, comments, () => store?.close());
}

/** Dragged beside lines, a range has its last line; the same range as a selection ends before that. 1-based, both included. */
function commentedIn(uri: vscode.Uri, range: vscode.Range): Thread['lines'] {
  const editors = vscode.window.visibleTextEditors.filter(({ document }) => `${document.uri}` === `${uri}`);
  const isSelection = editors.some(({ selection }) => range.isEqual(selection));
  return isSelection ? linesOf(range) : [range.start.line + 1, range.end.line + 1];
}

/** A thread of VS Code, and the state of ours that it shows. */
interface Shown {
  thread: vscode.CommentThread;
  state: Thread;
}

/** Keeps VS Code's threads as ours, and does what the user chooses in them. */
export class CommentThreads implements vscode.Disposable {
  readonly comments: Comments;
  /** Writes what is not stored yet. */
  readonly close: () => void;
  readonly #controller: vscode.CommentController;
  readonly #listening: { dispose(): void };
  /** By id. */
  readonly #shown = new Map<number, Shown>();
  /** The object of a comment stays the same: it may be in edit. */
  readonly #bodies = new WeakMap<Comment, vscode.Comment>();
  /** The thread of VS Code whose first comment is just being added. */
  #begun: vscode.CommentThread | undefined;

  constructor(controller: vscode.CommentController, comments: Comments, close: () => void) {
    this.#controller = controller;
    this.comments = comments;
    this.close = close;
    this.#listening = comments.onDidChange(() => this.#update());
    this.#update();
  }

  dispose(): void {
    this.#listening.dispose();
    this.comments.dispose();
  }

  /** Adds what the user wrote. @throws Error if there is no room: VS Code keeps the text then */
  async write({ thread, text }: vscode.CommentReply): Promise<void> {
    const known = this.#stateOf(thread);
    throwIfFull(this.comments.refusal(undefined, known));
    throwIfLong(text);
    if (known) return this.comments.reply(known.id, { agent: undefined, text });
    const { uri, range = new vscode.Range(0, 0, 0, 0) } = thread;
    const document = await vscode.workspace.openTextDocument(uri);
    this.#begun = thread;
    this.comments.add({ uri, lines: commentedIn(uri, range), agent: undefined, text }, document);
  }

  edit(comment: vscode.Comment): void {
    comment.mode = vscode.CommentMode.Editing;
    this.#redraw(comment);
  }

  /** @throws Error if it is too long: it is still in edit then */
  save(comment: vscode.Comment): void {
    const text = `${comment.body}`;
    throwIfLong(text);
    comment.mode = vscode.CommentMode.Preview;
    const { id, index, state } = this.#placeOf(comment);
    if (text.trim() === '') comment.body = state.text;
    this.#redraw(comment);
    if (comment.body !== state.text) this.comments.rewrite(id, index, text);
  }

  cancel(comment: vscode.Comment): void {
    comment.mode = vscode.CommentMode.Preview;
    comment.body = this.#placeOf(comment).state.text;
    this.#redraw(comment);
  }

  remove(comment: vscode.Comment): void {
    const { id, index } = this.#placeOf(comment);
    this.comments.rewrite(id, index, undefined);
  }

  async removeThread(thread: vscode.CommentThread): Promise<void> {
    const state = this.#stateOf(thread);
    if (!state) return;
    const { length: count } = state.comments;
    const isSure =
      state.isShown ||
      count === 1 ||
      (await confirmed(
        l10n.t('Delete this thread?'),
        l10n.t('It has {0} comments.', count),
        l10n.t('Delete'),
      ));
    if (isSure) this.comments.remove([state.id]);
  }

  resolve(thread: vscode.CommentThread, isResolved: boolean): void {
    const id = this.#stateOf(thread)?.id;
    if (id !== undefined) this.comments.resolve(id, isResolved);
  }

  /** Goes from a place that an agent shows to the next or previous one, in whichever file. */
  async go(from: vscode.CommentThread, step: 1 | -1): Promise<void> {
    const places = this.comments.threads.filter(({ isShown }) => isShown);
    const at = places.findIndex(({ id }) => id === this.#stateOf(from)?.id);
    const place = places.at((at + step) % places.length);
    if (!place) return;
    const line = place.lines[0] - 1;
    await vscode.window.showTextDocument(place.uri, { selection: new vscode.Range(line, 0, line, 0) });
  }

  resolveAll(): void {
    const open = this.comments.threads.filter(isOpen);
    for (const { id } of open) this.comments.resolve(id);
    if (open.length === 0) showNoneOpen();
  }

  /** Copies the open threads as Markdown. */
  async copy(): Promise<void> {
    const text = await commentsText(this.comments.threads.filter(isOpen));
    if (text === '') return showNoneOpen();
    await vscode.env.clipboard.writeText(text);
    vscode.window.setStatusBarMessage(l10n.t('The open comments are in the clipboard.'), 5_000);
  }

  #update(): void {
    const threads = new Map(this.comments.threads.map((one) => [one.id, one]));
    for (const [id, { thread, state }] of this.#shown) {
      if (`${threads.get(id)?.uri}` === `${state.uri}`) continue;
      thread.dispose(); // also where its file has moved: VS Code's threads cannot
      this.#shown.delete(id);
    }
    for (const one of threads.values()) this.#show(one);
  }

  #show(state: Thread): void {
    const before = this.#shown.get(state.id);
    if (before?.state === state) return;
    const thread = before?.thread ?? this.#create(state);
    thread.range = rangeOf(state);
    if (before?.state.comments !== state.comments)
      thread.comments = state.comments.map((one) => this.#bodyOf(one));
    const { isShown, isGone, isResolved } = state;
    if (!before || before.state.isGone !== isGone || before.state.isResolved !== isResolved) {
      thread.label = labelOf(state);
      thread.contextValue = isShown ? 'shown' : isResolved ? 'resolved' : 'open';
      if (!isShown) thread.state = vscode.CommentThreadState[isResolved ? 'Resolved' : 'Unresolved'];
      thread.canReply = !isShown;
    }
    this.#shown.set(state.id, { thread, state });
  }

  #create(state: Thread): vscode.CommentThread {
    const begun = this.#begun;
    this.#begun = undefined;
    if (begun) return begun;
    const thread = this.#controller.createCommentThread(state.uri, rangeOf(state), []);
    const { Expanded, Collapsed } = vscode.CommentThreadCollapsibleState;
    thread.collapsibleState = state.isShown ? Expanded : Collapsed;
    return thread;
  }

  #bodyOf(comment: Comment): vscode.Comment {
    const known = this.#bodies.get(comment);
    if (known) return known;
    const { agent, text, at } = comment;
    // VS Code shows a string as it is, without Markdown.
    const made: vscode.Comment = {
      body: agent === undefined ? text : visibleText(text),
      mode: vscode.CommentMode.Preview,
      author: { name: nameOf(comment) },
      contextValue: agent === undefined ? 'own' : 'agent',
      timestamp: new Date(at),
    };
    this.#bodies.set(comment, made);
    return made;
  }

  /** VS Code notices a change of a comment only by another list. */
  #redraw(comment: vscode.Comment): void {
    const shown = this.#shown.get(this.#placeOf(comment).id);
    if (shown) shown.thread.comments = [...shown.thread.comments];
  }

  #stateOf(thread: vscode.CommentThread): Thread | undefined {
    return [...this.#shown.values()].find((one) => one.thread === thread)?.state;
  }

  /** @throws Error if it is gone */
  #placeOf(comment: vscode.Comment): { id: number; index: number; state: Comment } {
    for (const { id, comments } of this.comments.threads)
      for (const [index, state] of comments.entries())
        if (this.#bodies.get(state) === comment) return { id, index, state };
    throw new Error(l10n.t('This comment is gone.'));
  }
}

const rangeOf = ({ lines: [first, last] }: Thread): vscode.Range =>
  new vscode.Range(first - 1, 0, last - 1, Number.MAX_SAFE_INTEGER);

function showNoneOpen(): void {
  void vscode.window.showInformationMessage(l10n.t('There are no open comments.'));
}
