import type * as vscode from 'vscode';
import { throwIfCancelled, UserError } from '../../core/messages.ts';
import { clock, delay, unlessAborted, within } from '../../util/clock.ts';
import type { Scope } from '../scope.ts';
import { checkersOf } from './checkers.ts';
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

/** A service that asks language servers for one agent. */
export interface LanguageScope extends Scope {
  providers: Providers;
}

export class ProviderFailure extends UserError {
  /** As it says; it may quote redacted text. */
  readonly reason: string;

  constructor(what: Wanted, error: unknown) {
    super(`The language server failed to give ${what}. Ask the user to look at its output.`);
    this.reason = error instanceof Error ? error.message : String(error);
  }
}

export type Providers = ReturnType<typeof providersIn>;

/**
 * Asks language servers through VS Code. It starts them first, because VS Code skips servers that are not ready: an empty list
 * would then mean nothing. One per window.
 */
export function providersIn(code: typeof vscode) {
  const starting = new WeakMap<vscode.TextDocument, Promise<boolean>>();
  /** Languages of which a server has answered with something, and when the others were first asked about, by the clock. */
  const answered = new Set<string>();
  const askedSince = new Map<string, number>();

  async function execute<T>(what: Wanted, signal: AbortSignal, args: readonly unknown[]) {
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

  const run = async <T>(what: Wanted, signal: AbortSignal, ...args: unknown[]): Promise<readonly T[]> =>
    (await execute<T[]>(what, signal, args)) ?? [];

  async function start(document: vscode.TextDocument, signal: AbortSignal): Promise<void> {
    const begin = async () => {
      const extensions = checkersOf(code, document.languageId);
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

  /** Waits for the first symbols of a language that has not answered yet; true once there are some. */
  async function awaken({ languageId, uri }: vscode.TextDocument, signal: AbortSignal): Promise<boolean> {
    if (answered.has(languageId) || checkersOf(code, languageId).length === 0) return false;
    const first = askedSince.get(languageId) ?? clock.now();
    askedSince.set(languageId, first);
    const end = Math.max(first + PATIENCE, clock.now() + NEXT_PATIENCE);
    while (clock.now() < end) {
      if (answered.has(languageId) || (await run('symbols', signal, uri)).length > 0) {
        answered.add(languageId);
        return true;
      }
      await delay(POLL, signal).catch(() => {});
    }
    return false;
  }

  async function value<T>(
    what: Wanted,
    document: vscode.TextDocument,
    signal: AbortSignal,
    args: readonly unknown[],
  ): Promise<T | undefined> {
    await start(document, signal);
    const ask = () => execute<T>(what, signal, args);
    const found = await ask();
    const isEmpty = !found || (Array.isArray(found) && found.length === 0);
    if (!isEmpty && !OWN_ANSWERS.has(what)) answered.add(document.languageId);
    else if (await awaken(document, signal)) return ask();
    return found;
  }

  return {
    /**
     * The answer of all providers about a document; empty if they have none, `why` then says why. A cancellation ends the wait:
     * VS Code's commands do not pass it on.
     *
     * @param args of the command, after the document's URI
     * @throws UserError if a server fails or takes too long, CancelledError
     */
    ask: async <T>(what: Wanted, document: vscode.TextDocument, signal: AbortSignal, ...args: unknown[]) =>
      (await value<readonly T[]>(what, document, signal, [document.uri, ...args])) ?? [],

    /** The same for commands that answer with one object. @param args of the command, all of them @throws UserError, CancelledError */
    value,

    /** The same for commands that are not about a document. @throws UserError, CancelledError */
    run,

    /** Why there may be no answer about a document, as a sentence. */
    why(what: Wanted, { languageId }: vscode.TextDocument): string {
      if (answered.has(languageId))
        return `There are none, or no extension provides ${what} for "${languageId}".`;
      if (checkersOf(code, languageId).length === 0)
        return `No extension provides ${what} for "${languageId}".`;
      return `The language server for "${languageId}" has not answered yet: it may still be starting. Try again.`;
    },

    /** Starts the extensions for a document's language. @throws UserError while TypeScript loads the document's project */
    start,
  };
}

/** VS Code's commands that ask providers, by what messages call the answer. */
export const COMMANDS = {
  symbols: 'vscode.executeDocumentSymbolProvider',
  'workspace symbols': 'vscode.executeWorkspaceSymbolProvider',
  definitions: 'vscode.executeDefinitionProvider',
  declarations: 'vscode.executeDeclarationProvider',
  'type definitions': 'vscode.executeTypeDefinitionProvider',
  implementations: 'vscode.executeImplementationProvider',
  references: 'vscode.executeReferenceProvider',
  highlights: 'vscode.executeDocumentHighlights',
  hovers: 'vscode.executeHoverProvider',
  'a call hierarchy': 'vscode.prepareCallHierarchy',
  callers: 'vscode.provideIncomingCalls',
  calls: 'vscode.provideOutgoingCalls',
  'a type hierarchy': 'vscode.prepareTypeHierarchy',
  supertypes: 'vscode.provideSupertypes',
  subtypes: 'vscode.provideSubtypes',
  'a rename': 'vscode.executeDocumentRenameProvider',
  'code actions': 'vscode.executeCodeActionProvider',
  'a formatted text': 'vscode.executeFormatDocumentProvider',
  'formatted lines': 'vscode.executeFormatRangeProvider',
  'text formatted while typing': 'vscode.executeFormatOnTypeProvider',
  'the range of a rename': 'vscode.prepareRename',
  'code lenses': 'vscode.executeCodeLensProvider',
  colors: 'vscode.executeDocumentColorProvider',
  'color presentations': 'vscode.executeColorPresentationProvider',
  completions: 'vscode.executeCompletionItemProvider',
  'folding ranges': 'vscode.executeFoldingRangeProvider',
  'inlay hints': 'vscode.executeInlayHintProvider',
  'inline values': 'vscode.executeInlineValueProvider',
  links: 'vscode.executeLinkProvider',
  'selection ranges': 'vscode.executeSelectionRangeProvider',
  'semantic tokens': 'vscode.provideDocumentSemanticTokens',
  'semantic tokens of a range': 'vscode.provideDocumentRangeSemanticTokens',
  'the legend of semantic tokens': 'vscode.provideDocumentSemanticTokensLegend',
  'the legend of semantic tokens of a range': 'vscode.provideDocumentRangeSemanticTokensLegend',
  'signature help': 'vscode.executeSignatureHelpProvider',
} as const;

export type Wanted = keyof typeof COMMANDS;
