import type * as vscode from 'vscode';
import { throwIfCancelled, UserError } from '../../core/messages.ts';
import { clock, delay, unlessAborted, within } from '../../util/clock.ts';
import type { Scope } from '../scope.ts';
import { checkersOf, isTypeScript } from './checkers.ts';
import { evidenceOfServers, isEmpty } from './evidence.ts';
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
const PATIENCE = 15_000;
/** How long is waited after that: its extension may have no symbols. */
const NEXT_PATIENCE = 1_000;
const POLL = 200;
/** Before a request that a server has dropped is sent again: it drops requests while a text or a project changes. */
const RETRY = 500;

/** A service that asks language servers for one agent. */
export interface LanguageScope extends Scope {
  providers: Providers;
}

export type Providers = ReturnType<typeof providersIn>;

/**
 * Asks language servers through VS Code. It starts them first, because VS Code skips servers that are not ready: an empty list
 * would then mean nothing. One per window.
 */
export function providersIn(code: typeof vscode) {
  const starting = new WeakMap<vscode.TextDocument, Promise<boolean>>();
  /** When the languages whose servers do not answer were first asked about, by the clock. */
  const askedSince = new Map<string, number>();
  const hasExtension = (languageId: string) => checkersOf(code, languageId).length > 0;
  const evidence = evidenceOfServers(hasExtension);

  async function executeOnce<T>(what: Wanted, signal: AbortSignal, args: readonly unknown[]) {
    throwIfCancelled(signal);
    const asked = code.commands.executeCommand<T | undefined>(COMMANDS[what], ...args);
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

  async function execute<T>(what: Wanted, signal: AbortSignal, args: readonly unknown[]) {
    try {
      return await executeOnce<T>(what, signal, args);
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.kind !== 'dropped') throw error;
      await delay(RETRY, signal).catch(() => {});
      return executeOnce<T>(what, signal, args);
    }
  }

  const run = async <T>(what: Wanted, signal: AbortSignal, ...args: unknown[]): Promise<readonly T[]> =>
    (await execute<T[]>(what, signal, args)) ?? [];

  async function start(document: vscode.TextDocument, signal: AbortSignal): Promise<void> {
    const begin = async () => {
      const { languageId } = document;
      const extensions = checkersOf(code, languageId);
      const isStarted = extensions.every(({ isActive }) => isActive);
      if (!isStarted && !isTypeScript(languageId)) evidence.begins(languageId); // TypeScript's project is waited for
      await within(Promise.allSettled(extensions.map((one) => one.activate())), PATIENCE, undefined);
      return within(projectLoaded(code, document), PATIENCE, false);
    };
    const started = starting.get(document) ?? begin();
    starting.set(document, started);
    const isLate = (await unlessAborted(started, signal)) === false;
    throwIfCancelled(signal);
    if (!isLate) return;
    starting.delete(document);
    throw new UserError('TypeScript is still loading the project of this file. Try again.');
  }

  const symbolsOf = (document: vscode.TextDocument, signal: AbortSignal) =>
    run<vscode.DocumentSymbol>('symbols', signal, document.uri);

  /** Waits for symbols of a language whose server does not answer, or no more; true once there are some. */
  async function awaken(document: vscode.TextDocument, signal: AbortSignal): Promise<boolean> {
    const { languageId } = document;
    if (evidence.answers(languageId) || !hasExtension(languageId)) return false;
    const first = askedSince.get(languageId) ?? clock.now();
    askedSince.set(languageId, first);
    const end = Math.max(first + PATIENCE, clock.now() + NEXT_PATIENCE);
    const witness = evidence.witness(languageId) ?? document;
    while (clock.now() < end) {
      if (evidence.answers(languageId)) return true;
      const found = await symbolsOf(witness, signal).catch(unlessFatal([]));
      evidence.saw('symbols', witness, found);
      if (found.length > 0) return true;
      await delay(POLL, signal).catch(() => {});
    }
    return false;
  }

  /** Learns from an empty answer: a server that has given symbols of a text, and gives none of the same text, has stopped. */
  async function noteEmpty(languageId: string, signal: AbortSignal): Promise<void> {
    const witness = evidence.toAskAgain(languageId);
    if (!witness) return;
    evidence.saw('symbols', witness, await symbolsOf(witness, signal).catch(unlessFatal([])));
    if (!evidence.answers(languageId)) askedSince.delete(languageId);
  }

  async function value<T>(
    what: Wanted,
    document: vscode.TextDocument,
    signal: AbortSignal,
    args: readonly unknown[],
  ): Promise<T | undefined> {
    const { languageId } = document;
    await start(document, signal);
    const ask = async () => {
      const found = await execute<T>(what, signal, args).catch((error) => {
        if (!(error instanceof ProviderFailure) || error.kind !== 'not offered') throw error;
        evidence.refuses(what, languageId);
        return undefined;
      });
      if (!OWN_ANSWERS.has(what)) evidence.saw(what, document, found);
      return found;
    };
    const answer = await ask().catch((error) => {
      if (!(error instanceof ProviderFailure) || !/^start|^stop/.test(error.kind)) throw error;
      if (evidence.answers(languageId)) askedSince.delete(languageId);
      evidence.stops(languageId);
      return error;
    });
    const isOfServer = !OWN_ANSWERS.has(what) && !(answer instanceof ProviderFailure);
    if (isOfServer && !isEmpty(answer)) return answer;
    await noteEmpty(languageId, signal);
    if (await awaken(document, signal)) return ask();
    if (answer instanceof ProviderFailure) throw answer;
    const isGone = evidence.witness(languageId) && evidence.absence(languageId);
    if (isGone && isEmpty(answer)) throw new UserError(isGone);
    return answer;
  }

  return {
    /**
     * The answer of all providers about a document; empty if they have none, `why` then says why. A cancellation ends the wait:
     * VS Code's commands do not pass it on.
     *
     * @param args of the command, after the document's URI
     * @throws UserError if a server fails, has stopped or takes too long, CancelledError
     */
    ask: async <T>(what: Wanted, document: vscode.TextDocument, signal: AbortSignal, ...args: unknown[]) =>
      (await value<readonly T[]>(what, document, signal, [document.uri, ...args])) ?? [],

    /** The same for commands that answer with one object. @param args of the command, all of them @throws UserError, CancelledError */
    value,

    /** The same for commands that are not about a document. @throws UserError, CancelledError */
    run,

    ...evidence.told,

    /** Starts the extensions for a document's language. @throws UserError while TypeScript loads the document's project */
    start,
  };
}

/** For `catch`: a provider's failure becomes a value; any other error is rethrown. */
const unlessFatal =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof ProviderFailure) return value;
    throw error;
  };
