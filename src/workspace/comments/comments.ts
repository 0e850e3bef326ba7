import type * as vscode from 'vscode';
import { cutText } from '../../core/text/cut.ts';
import { withLf } from '../../core/text/replacements.ts';
import { debounce, Emitter } from '../../util/events.ts';
import { movedUri } from '../edit/journal.ts';
import { found, linesIn, part, sketchOf } from './anchor.ts';
import {
  type Comment,
  hasWordsOfUser,
  isOpen,
  LONGEST_COMMENT,
  MOST_COMMENTS,
  MOST_FOR_AGENTS,
  MOST_OPEN,
  MOST_RESOLVED,
  type NewThread,
  type Thread,
} from './thread.ts';

/** Milliseconds without typing before lines are looked for. */
const PAUSE = 200;
/** Most comments of one agent in a minute. */
const MOST_A_MINUTE = 20;
const MINUTE = 60_000;

/** The sketch of a file when its threads were last looked at, and by thread that of lines that are gone. */
interface Sketch {
  text: string;
  gone: Readonly<Record<number, string>>;
}

/** A text, or a document that has it. */
type Text = string | Pick<vscode.TextDocument, 'getText'>;

const textOf = (text: Text): string => (typeof text === 'string' ? text : text.getText());

/** What is kept over a reload of the window. */
export interface StoredComments {
  threads: readonly (Omit<Thread, 'uri'> & { uri: string })[];
  /** By URI. */
  sketches: Readonly<Record<string, Sketch>>;
}

/** The conversations of the user and agents on lines of files. They follow the text as it is edited. One per window. */
export class Comments {
  readonly #code: typeof vscode;
  #threads: readonly Thread[] = [];
  readonly #sketches = new Map<string, Sketch>();
  #last = 0;
  /** When agents wrote comments, by agent. */
  readonly #written = new Map<string, number[]>();
  /** The comments of threads as agents have seen them, by their ids. */
  readonly #seen = new Map<number, Map<number, Thread['comments']>>();
  readonly #changes = new Emitter();
  readonly #typed = new Set<vscode.TextDocument>();
  readonly #listening: vscode.Disposable;

  constructor(code: typeof vscode) {
    this.#code = code;
    const { workspace } = code;
    const lookLater = debounce(() => {
      for (const document of this.#typed) if (!document.isClosed) this.lookAt(document);
      this.#typed.clear();
    }, PAUSE);
    this.#listening = code.Disposable.from(
      lookLater,
      workspace.onDidChangeTextDocument(({ document }) => {
        if (!this.#sketches.has(`${document.uri}`)) return;
        this.#typed.add(document);
        lookLater();
      }),
      workspace.onDidOpenTextDocument(this.lookAt),
      workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.#move(oldUri, newUri);
      }),
    );
  }

  dispose(): void {
    this.#listening.dispose();
  }

  /** In the order in which they were begun. */
  get threads(): readonly Thread[] {
    return this.#threads;
  }

  get(id: number): Thread | undefined {
    return this.#threads.find((one) => one.id === id);
  }

  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changes.listen(listener);
  }

  /**
   * Why there is no room for a comment; undefined if there is. Ask before `add` and `reply`.
   *
   * @param agent undefined for the user
   */
  refusal(agent: string | undefined, thread?: Thread): 'open' | 'long' | 'fast' | undefined {
    if (thread && thread.comments.length >= MOST_COMMENTS) return 'long';
    const most = agent === undefined ? MOST_OPEN : MOST_FOR_AGENTS;
    if (!thread && this.#threads.filter(isOpen).length >= most) return 'open';
    const since = Date.now() - MINUTE;
    const written = this.#written.get(agent ?? '') ?? [];
    return agent !== undefined && written.filter((at) => at > since).length >= MOST_A_MINUTE
      ? 'fast'
      : undefined;
  }

  /** @param text of the file, in which the lines are */
  add({ uri, lines, isShown, ...comment }: NewThread, text: Text): Thread {
    this.look(uri, text);
    const id = ++this.#last;
    const comments = [this.#newComment(comment, isShown)];
    const thread = {
      id,
      uri,
      lines,
      isGone: false,
      isResolved: false,
      comments,
      ...(isShown && { isShown }),
    };
    const key = `${uri}`;
    if (!this.#sketches.has(key)) this.#sketches.set(key, { text: sketchOf(textOf(text)), gone: {} });
    this.#set([...this.#threads, thread]);
    return thread;
  }

  /** Adds to a thread, which is open again. Does nothing if there is none. */
  reply(id: number, comment: Omit<Comment, 'at'>): void {
    this.#replace(id, (one) => ({
      ...one,
      isResolved: false,
      comments: [...one.comments, this.#newComment(comment)],
    }));
  }

  resolve(id: number, isResolved = true): void {
    this.#replace(id, (one) => ({ ...one, isResolved, ...(isResolved && { resolvedAt: Date.now() }) }));
  }

  /** Only the user rewrites a comment, and only one of theirs. @param index in the thread. @param text undefined to remove it */
  rewrite(id: number, index: number, text: string | undefined): void {
    const thread = this.get(id);
    const comments = (thread?.comments ?? []).flatMap((one, at) => {
      if (at !== index) return [one];
      return text === undefined ? [] : [{ ...one, text: cutText(text, LONGEST_COMMENT) }];
    });
    if (comments.length === 0) this.remove([id]);
    else this.#replace(id, (one) => ({ ...one, comments }));
  }

  remove(ids: readonly number[]): void {
    this.#set(this.#threads.filter(({ id }) => !ids.includes(id)));
  }

  /** As `look`, with a document that is loaded. */
  lookAt = (document: vscode.TextDocument): void => this.look(document.uri, document.getText());

  /** Finds the lines of the threads of a file in its present text. Call it with a text that was just read, before lines are used. */
  look(uri: vscode.Uri, text: Text): void {
    const key = `${uri}`;
    const before = this.#sketches.get(key);
    if (!before) return;
    const now = sketchOf(textOf(text));
    if (now === before.text) return;
    const gone: Record<number, string> = {};
    const threads = this.#threads.map((one) => {
      if (`${one.uri}` !== key) return one;
      const wanted = before.gone[one.id] ?? part(before.text, one.lines);
      const lines =
        before.gone[one.id] === undefined
          ? linesIn(now, before.text, one.lines)
          : found(now, wanted, one.lines[0]);
      if (!lines) gone[one.id] = wanted;
      return { ...one, lines: lines ?? one.lines, isGone: !lines };
    });
    this.#sketches.set(key, { text: now, gone });
    this.#set(threads);
  }

  /** Threads that wait for an agent, with words of the user that this one has not seen. @param agent its id in the window */
  unseen(agent: number): Thread[] {
    const seen = this.#seen.get(agent);
    return this.#threads.filter((one) => waitsForAgent(one) && one.comments !== seen?.get(one.id));
  }

  /** An agent has seen all that is said in these threads, as they were then. */
  saw(agent: number, threads: readonly Thread[]): void {
    const seen = this.#seen.get(agent) ?? new Map<number, Thread['comments']>();
    for (const { id, comments } of threads) seen.set(id, comments);
    this.#seen.set(agent, seen);
  }

  /** A new conversation with an agent has begun, or the agent has gone: it has seen nothing. */
  forget(agent: number): void {
    this.#seen.delete(agent);
  }

  stored(): StoredComments {
    const threads = this.#threads.filter(({ isShown }) => !isShown);
    const keys = new Set(threads.map(({ uri }) => `${uri}`));
    return {
      threads: threads.map((one) => ({ ...one, uri: `${one.uri}` })),
      sketches: Object.fromEntries([...this.#sketches].filter(([key]) => keys.has(key))),
    };
  }

  /** Adds what was there before a reload, and looks at open files. */
  restore({ threads, sketches }: StoredComments): void {
    for (const [key, sketch] of Object.entries(sketches)) this.#sketches.set(key, sketch);
    this.#last = Math.max(0, ...threads.map(({ id }) => id));
    this.#set(threads.map((one) => ({ ...one, uri: this.#code.Uri.parse(one.uri, true) })));
    this.#code.workspace.textDocuments.forEach(this.lookAt);
  }

  /** @param isShown it replaces others of its agent, and does not count */
  #newComment({ agent, text }: Omit<Comment, 'at'>, isShown = false): Comment {
    const at = Date.now();
    if (agent !== undefined && !isShown)
      this.#written.set(agent, [...(this.#written.get(agent) ?? []), at].slice(-MOST_A_MINUTE));
    return { agent, text: cutText(withLf(text), LONGEST_COMMENT), at };
  }

  #replace(id: number, change: (thread: Thread) => Thread): void {
    this.#set(this.#threads.map((one) => (one.id === id ? change(one) : one)));
  }

  #set(threads: readonly Thread[]): void {
    const resolved = threads.filter((one) => one.isResolved).sort(byResolution);
    // Apart, so that no agent pushes out what the user wrote.
    const groups = Map.groupBy(resolved, hasWordsOfUser);
    const old = new Set([...groups.values()].flatMap((some) => some.slice(0, -MOST_RESOLVED)));
    this.#threads = threads.filter((one) => !old.has(one));
    const keys = new Set(this.#threads.map(({ uri }) => `${uri}`));
    for (const key of this.#sketches.keys()) if (!keys.has(key)) this.#sketches.delete(key);
    this.#changes.fire();
  }

  #move(from: vscode.Uri, to: vscode.Uri): void {
    const moved = (uri: vscode.Uri) => movedUri(uri, from, to);
    for (const [key, sketch] of [...this.#sketches]) {
      this.#sketches.delete(key);
      this.#sketches.set(`${moved(this.#code.Uri.parse(key, true))}`, sketch);
    }
    if (this.#threads.some(({ uri }) => moved(uri) !== uri))
      this.#set(this.#threads.map((one) => ({ ...one, uri: moved(one.uri) })));
  }
}

const byResolution = (a: Thread, b: Thread): number => (a.resolvedAt ?? 0) - (b.resolvedAt ?? 0);

/** The conversations of a window, loaded when somebody first needs them. */
export interface CommentsLater {
  /** Whether there are none, as far as is known without loading them. */
  readonly isNone: boolean;
  load(): Promise<Comments>;
  /** Changes from now on: loads nothing, and fires also if they are loaded later. */
  onDidChange(listener: () => void): { dispose(): void };
}

/** Whether an agent has to look at a thread: the user spoke last, or nobody but the user. */
export const waitsForAgent = (thread: Thread): boolean =>
  isOpen(thread) && thread.comments.at(-1)?.agent === undefined;
