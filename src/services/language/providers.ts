import type * as vscode from 'vscode';
import { throwIfCancelled, UserError } from '../../core/errors.ts';
import { clock, delay, unlessAborted, within } from '../../util/clock.ts';
import type { Scope } from '../scope.ts';
import { checkersOf, isTypeScript } from './checkers.ts';
import { isEmpty, ServerEvidence } from './evidence.ts';
import { openAgain } from './goneFiles.ts';
import { COMMANDS, type Wanted } from './providerCommands.ts';
import { ProviderFailure } from './providerFailure.ts';
import { projectLoaded } from './tsDiagnostics.ts';

/** VS Code answers these itself too, so an answer does not show that a language server runs. */
const OWN_ANSWERS: ReadonlySet<Wanted> = new Set([
  'colors',
  'color presentations',
  'completions',
  'folding ranges',
  'highlights',
  'links',
  'selection ranges',
]);

/** Longest wait for one answer of a language server. This and the following are in milliseconds. */
const DEADLINE = 60_000;
/** How long a server may take to start from when its language is first asked about, whoever waits for it. */
const START_TIMEOUT_MS = 15_000;
/** How long is waited after that: its extension may have no symbols. */
const NEXT_START_TIMEOUT_MS = 1_000;
const POLL = 200;
/** Before a request that a server has dropped is sent again: it drops requests while a text or a project changes. */
const RETRY = 500;

/** A service that asks language servers for one agent. */
export interface LanguageScope extends Scope {
  providers: Providers;
}

/**
 * Asks language servers through VS Code. It starts them first, because VS Code skips servers that are not ready: an empty list
 * would then mean nothing. One per window.
 */
export class Providers extends ServerEvidence {
  readonly #code: typeof vscode;
  readonly #starting = new WeakMap<vscode.TextDocument, Promise<boolean>>();
  /** When the languages whose servers do not answer were first asked about, by the clock. */
  readonly #askedSince = new Map<string, number>();

  constructor(code: typeof vscode) {
    super();
    this.#code = code;
  }

  /**
   * The answer of all providers about a document; empty if they have none, `why` then says why. A cancellation ends the wait:
   * VS Code's commands do not pass it on.
   *
   * @param args of the command, after the document's URI
   * @throws UserError if a server fails, has stopped or takes too long, CancelledError
   */
  async ask<T>(
    what: Wanted,
    document: vscode.TextDocument,
    signal: AbortSignal,
    ...args: unknown[]
  ): Promise<readonly T[]> {
    return (await this.value<readonly T[]>(what, document, signal, [document.uri, ...args])) ?? [];
  }

  /** As `ask`, for commands that answer with one object. @param args of the command, all of them @throws UserError, CancelledError */
  async value<T>(
    what: Wanted,
    document: vscode.TextDocument,
    signal: AbortSignal,
    args: readonly unknown[],
  ): Promise<T | undefined> {
    await openAgain(this.#code, document);
    const { languageId } = document;
    await this.start(document, signal);
    const ask = async () => {
      const found = await this.#execute<T>(what, signal, args).catch((error) => {
        if (!(error instanceof ProviderFailure) || error.kind !== 'not offered') throw error;
        this.refuses(what, languageId);
        return undefined;
      });
      if (!OWN_ANSWERS.has(what)) this.saw(what, document, found);
      return found;
    };
    const answer = await ask().catch((error) => {
      if (!(error instanceof ProviderFailure) || !/^start|^stop/.test(error.kind)) throw error;
      if (this.answers(languageId)) this.#askedSince.delete(languageId);
      this.stops(languageId);
      return error;
    });
    const isOfServer = !OWN_ANSWERS.has(what) && !(answer instanceof ProviderFailure);
    if (isOfServer && !isEmpty(answer)) return answer;
    await this.#noteEmpty(languageId, signal);
    if (await this.#awaken(document, signal)) return ask();
    if (answer instanceof ProviderFailure) throw answer;
    const isGone = this.witness(languageId) && this.absence(languageId);
    if (isGone && isEmpty(answer)) throw new UserError(isGone);
    return answer;
  }

  /** As `ask`, for commands that are not about a document. @throws UserError, CancelledError */
  async run<T>(what: Wanted, signal: AbortSignal, ...args: unknown[]): Promise<readonly T[]> {
    return (await this.#execute<T[]>(what, signal, args)) ?? [];
  }

  /** Starts the extensions for a document's language. @throws UserError while TypeScript loads the document's project */
  async start(document: vscode.TextDocument, signal: AbortSignal): Promise<void> {
    const begin = async () => {
      const { languageId } = document;
      const extensions = checkersOf(this.#code, languageId);
      const isStarted = extensions.every(({ isActive }) => isActive);
      if (!isStarted && !isTypeScript(languageId)) this.begins(languageId); // TypeScript's project is waited for
      await within(Promise.allSettled(extensions.map((one) => one.activate())), START_TIMEOUT_MS, undefined);
      return within(projectLoaded(this.#code, document), START_TIMEOUT_MS, false);
    };
    const started = this.#starting.get(document) ?? begin();
    this.#starting.set(document, started);
    const isLate = (await unlessAborted(started, signal)) === false;
    throwIfCancelled(signal);
    if (!isLate) return;
    this.#starting.delete(document);
    throw new UserError('TypeScript is still loading the project of this file. Try again.');
  }

  protected hasExtension(languageId: string): boolean {
    return checkersOf(this.#code, languageId).length > 0;
  }

  async #execute<T>(what: Wanted, signal: AbortSignal, args: readonly unknown[]) {
    try {
      return await this.#executeOnce<T>(what, signal, args);
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.kind !== 'dropped') throw error;
      await delay(RETRY, signal).catch(() => {});
      return this.#executeOnce<T>(what, signal, args);
    }
  }

  async #executeOnce<T>(what: Wanted, signal: AbortSignal, args: readonly unknown[]) {
    throwIfCancelled(signal);
    const asked = this.#code.commands.executeCommand<T | undefined>(COMMANDS[what], ...args);
    const LATE = Symbol();
    const answer = await within(unlessAborted(asked, signal), DEADLINE, LATE).catch((error: unknown) => {
      throw new ProviderFailure(what, error);
    });
    throwIfCancelled(signal);
    if (answer === LATE)
      throw new UserError(
        `The language server did not give ${what} within ${DEADLINE / 1000} s. It may be busy or have crashed: try again, or ask the user to restart it.`,
      );
    return answer as T | undefined;
  }

  /** Waits for symbols of a language whose server does not answer, or no more; true once there are some. */
  async #awaken(document: vscode.TextDocument, signal: AbortSignal): Promise<boolean> {
    const { languageId } = document;
    if (this.answers(languageId) || !this.hasExtension(languageId)) return false;
    const first = this.#askedSince.get(languageId) ?? clock.now();
    this.#askedSince.set(languageId, first);
    const end = Math.max(first + START_TIMEOUT_MS, clock.now() + NEXT_START_TIMEOUT_MS);
    const witness = this.witness(languageId) ?? document;
    while (clock.now() < end) {
      if (this.answers(languageId)) return true;
      if (await this.#askWitness(witness, signal)) return true;
      await delay(POLL, signal).catch(() => {});
    }
    return false;
  }

  /** Learns from an empty answer: a server that has given symbols of a text, and gives none of the same text, has stopped. */
  async #noteEmpty(languageId: string, signal: AbortSignal): Promise<void> {
    const witness = this.toAskAgain(languageId);
    if (!witness) return;
    await this.#askWitness(witness, signal);
    if (!this.answers(languageId)) this.#askedSince.delete(languageId);
  }

  /** Whether it has symbols now. */
  async #askWitness(witness: vscode.TextDocument, signal: AbortSignal): Promise<boolean> {
    const asked = this.run<vscode.DocumentSymbol>('symbols', signal, witness.uri);
    const found = await asked.catch(unlessFatal([]));
    this.saw('symbols', witness, found);
    return found.length > 0;
  }
}

/** For `catch`: a provider's failure becomes a value; any other error is rethrown. */
const unlessFatal =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof ProviderFailure) return value;
    throw error;
  };
