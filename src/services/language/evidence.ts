import type * as vscode from 'vscode';
import { clock } from '../../util/clock.ts';
import { isTypeScript } from './checkers.ts';
import type { Wanted } from './providerCommands.ts';

/** What answers have shown: it came; the server refused to give it; it was empty where it cannot be. */
type Shown = 'offered' | 'refused' | 'missed';

/** How long after the start of its extension a server may still be indexing, in milliseconds. */
const INDEXING = 30_000;
/** How long the last symbols show that a server runs, in milliseconds. */
const SIGN_OF_LIFE = 2_000;

/** Answers that a server which still indexes the workspace gives in part. */
const ACROSS_FILES: ReadonlySet<Wanted> = new Set([
  'references',
  'implementations',
  'callers',
  'a call hierarchy',
  'a type hierarchy',
  'subtypes',
]);

type OfLanguage = Pick<vscode.TextDocument, 'languageId'>;

interface Witness {
  document: vscode.TextDocument;
  version: number;
  /** When its symbols last came, by the clock. */
  at: number;
}

/**
 * What language servers have shown by their answers, by language: VS Code does not tell extensions what another one offers, or
 * whether its server runs. What was learned from an empty answer is unlearned by a later one that is not.
 */
export abstract class ServerEvidence {
  readonly #answering = new Set<string>();
  readonly #shown = new Map<string, Shown>();
  /** Documents that had symbols. */
  readonly #witnesses = new Map<string, Witness>();
  /** When extensions were first started, by the clock. */
  readonly #begun = new Map<string, number>();

  /** Whether an extension may start a server for a language. */
  protected abstract hasExtension(languageId: string): boolean;

  /** Whether the extensions for its language have shown that they offer something. */
  offers(what: Wanted, { languageId }: OfLanguage): boolean {
    return this.answers(languageId) && this.#of(what, languageId) === 'offered';
  }

  /** Notes that an answer was empty which a server that offers this cannot give empty, such as the call hierarchy of a function. */
  missed(what: Wanted, { languageId }: OfLanguage): void {
    const isKnown = this.#of(what, languageId) !== undefined || isTypeScript(languageId);
    if (this.answers(languageId) && !isKnown) this.#shown.set(keyOf(what, languageId), 'missed');
  }

  /** That it gave nothing which another might, as a sentence. */
  lacks(what: Wanted, { languageId }: OfLanguage): string {
    const offer = LACKS.get(this.#of(what, languageId));
    return `${serverOf(languageId)} ${offer ? `${offer} ${what}` : `gave no ${what.replace(/^an? /, '')}`}.`;
  }

  /** Whether a server that answers has shown that it does not give something. */
  isLacking(what: Wanted, { languageId }: OfLanguage): boolean {
    return this.answers(languageId) && LACKS.has(this.#of(what, languageId));
  }

  /** Why an answer may leave out something that a later one has, as a sentence: the server is starting, indexing or gone. */
  doubt(what: Wanted, document: OfLanguage): string | undefined {
    const { languageId } = document;
    const gone = this.#hasServer(languageId) ? this.absence(languageId) : undefined;
    if (gone || !this.isIndexing(what, document)) return gone;
    return `${serverOf(languageId)} has just started and may still be indexing. Try again.`;
  }

  /** Whether a server that has just started may not know all files yet. */
  isIndexing(what: Wanted, document: OfLanguage): boolean {
    const begunAt = this.#begun.get(document.languageId) ?? -INDEXING;
    return ACROSS_FILES.has(what) && !this.isLacking(what, document) && clock.now() - begunAt < INDEXING;
  }

  /** Why there may be no answer, as a sentence. */
  why(what: Wanted, document: OfLanguage): string {
    const { languageId } = document;
    const known = this.#of(what, languageId);
    const none = `o extension provides ${what} for "${languageId}".`;
    if (!this.answers(languageId) && !this.#hasServer(languageId)) return `N${none}`;
    if (this.isLacking(what, document)) return this.lacks(what, document);
    return (
      this.doubt(what, document) ??
      (known ? 'The language server reports none.' : `There are none, or n${none}`)
    );
  }

  /** Whether a server of the language answers. */
  protected answers(languageId: string): boolean {
    return this.#answering.has(languageId);
  }

  /** Without a document that was closed, or whose text is another one: it may have no symbols now. */
  protected witness(languageId: string): vscode.TextDocument | undefined {
    const last = this.#witnesses.get(languageId);
    if (!last?.document.isClosed && last?.document.version === last?.version) return last?.document;
    this.#witnesses.delete(languageId);
    return undefined;
  }

  /** A document whose symbols show whether the server of a language runs, unless they have just come. */
  protected toAskAgain(languageId: string): vscode.TextDocument | undefined {
    const at = this.#witnesses.get(languageId)?.at ?? 0;
    const isDue = this.answers(languageId) && clock.now() - at >= SIGN_OF_LIFE;
    return isDue ? this.witness(languageId) : undefined;
  }

  protected saw(what: Wanted, document: vscode.TextDocument, answer: unknown): void {
    const { languageId, version } = document;
    if (!isEmpty(answer)) {
      this.#answering.add(languageId);
      // VS Code adds code actions of its own to those of servers.
      if (what !== 'code actions') this.#shown.set(keyOf(what, languageId), 'offered');
      if (what === 'symbols') this.#witnesses.set(languageId, { document, version, at: clock.now() });
    } else if (what === 'symbols' && this.witness(languageId) === document) this.stops(languageId);
  }

  /** A server said that it starts, or has stopped. */
  protected stops(languageId: string): void {
    this.#answering.delete(languageId);
  }

  /** An extension for the language is being started. */
  protected begins(languageId: string): void {
    this.#begun.set(languageId, this.#begun.get(languageId) ?? clock.now());
  }

  /** A server said that it does not offer something. */
  protected refuses(what: Wanted, languageId: string): void {
    this.#answering.add(languageId);
    this.#shown.set(keyOf(what, languageId), 'refused');
  }

  /** That a server is starting, or gone, as a sentence; undefined if it answers. */
  protected absence(languageId: string): string | undefined {
    if (this.answers(languageId)) return undefined;
    return this.witness(languageId)
      ? `${serverOf(languageId)} no longer answers: it may have stopped, or be restarting. Try again, or ask the user to restart it.`
      : `${serverOf(languageId)} has not answered yet: it may still be starting. Try again.`;
  }

  #hasServer(languageId: string): boolean {
    return this.witness(languageId) !== undefined || this.hasExtension(languageId);
  }

  #of(what: Wanted, languageId: string): Shown | undefined {
    return this.#shown.get(keyOf(what, languageId));
  }
}

const keyOf = (what: Wanted, languageId: string) => `${languageId} ${what}`;

/** How a server is spoken of that gave nothing. */
const LACKS: ReadonlyMap<Shown | undefined, string> = new Map([
  ['refused', 'does not offer'],
  ['missed', 'seems not to offer'],
]);

const serverOf = (languageId: string): string => `The language server for "${languageId}"`;

/** @param answer a list or one object, such as the edits of a rename */
export function isEmpty(answer: unknown): boolean {
  const { length, size } = (answer ?? {}) as { length?: number; size?: number };
  return !answer || (length ?? size) === 0;
}
