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
 *
 * @param hasExtension whether an extension may start a server for a language
 */
export function evidenceOfServers(hasExtension: (languageId: string) => boolean) {
  const answering = new Set<string>();
  const shown = new Map<string, Shown>();
  /** Documents that had symbols. */
  const witnesses = new Map<string, Witness>();
  /** When extensions were first started, by the clock. */
  const begun = new Map<string, number>();
  const keyOf = (what: Wanted, languageId: string) => `${languageId} ${what}`;
  const of = (what: Wanted, languageId: string) => shown.get(keyOf(what, languageId));

  /** Without a document that was closed, or whose text is another one: it may have no symbols now. */
  function witness(languageId: string): vscode.TextDocument | undefined {
    const last = witnesses.get(languageId);
    if (!last?.document.isClosed && last?.document.version === last?.version) return last?.document;
    witnesses.delete(languageId);
    return undefined;
  }

  /** That a server is starting, or gone, as a sentence; undefined if it answers. */
  function absence(languageId: string): string | undefined {
    if (answering.has(languageId)) return undefined;
    return witness(languageId)
      ? `${serverOf(languageId)} no longer answers: it may have stopped, or be restarting. Try again, or ask the user to restart it.`
      : `${serverOf(languageId)} has not answered yet: it may still be starting. Try again.`;
  }

  const hasServer = (languageId: string): boolean =>
    witness(languageId) !== undefined || hasExtension(languageId);

  function doubt(what: Wanted, { languageId }: OfLanguage): string | undefined {
    const gone = hasServer(languageId) ? absence(languageId) : undefined;
    if (gone || !ACROSS_FILES.has(what)) return gone;
    return clock.now() - (begun.get(languageId) ?? -INDEXING) < INDEXING
      ? `${serverOf(languageId)} has just started and may still be indexing. Try again.`
      : undefined;
  }

  function lacks(what: Wanted, { languageId }: OfLanguage): string {
    const offer = LACKS.get(of(what, languageId));
    return `${serverOf(languageId)} ${offer ? `${offer} ${what}` : `gave no ${what.replace(/^an? /, '')}`}.`;
  }

  return {
    /** Whether a server of the language answers. */
    answers: (languageId: string): boolean => answering.has(languageId),
    witness,

    /** A document whose symbols show whether the server of a language runs, unless they have just come. */
    toAskAgain(languageId: string): vscode.TextDocument | undefined {
      const at = witnesses.get(languageId)?.at ?? 0;
      return answering.has(languageId) && clock.now() - at >= SIGN_OF_LIFE ? witness(languageId) : undefined;
    },

    saw(what: Wanted, document: vscode.TextDocument, answer: unknown): void {
      const { languageId, version } = document;
      if (!isEmpty(answer)) {
        answering.add(languageId);
        // VS Code adds code actions of its own to those of servers.
        if (what !== 'code actions') shown.set(keyOf(what, languageId), 'offered');
        if (what === 'symbols') witnesses.set(languageId, { document, version, at: clock.now() });
      } else if (what === 'symbols' && witness(languageId) === document) answering.delete(languageId);
    },

    /** A server said that it starts, or has stopped. */
    stops: (languageId: string): void => void answering.delete(languageId),

    /** An extension for the language is being started. */
    begins: (languageId: string): void => void begun.set(languageId, begun.get(languageId) ?? clock.now()),

    /** A server said that it does not offer something. */
    refuses(what: Wanted, languageId: string): void {
      answering.add(languageId);
      shown.set(keyOf(what, languageId), 'refused');
    },

    absence,

    /** Sentences and facts about the server of a document. */
    told: {
      /** Whether the extensions for its language have shown that they offer something. */
      offers: (what: Wanted, { languageId }: OfLanguage): boolean =>
        answering.has(languageId) && of(what, languageId) === 'offered',

      /** Notes that an answer was empty which a server that offers this cannot give empty, such as the call hierarchy of a function. */
      missed(what: Wanted, { languageId }: OfLanguage): void {
        const isKnown = of(what, languageId) !== undefined || isTypeScript(languageId);
        if (answering.has(languageId) && !isKnown) shown.set(keyOf(what, languageId), 'missed');
      },

      /** That it gave nothing which another might, as a sentence. */
      lacks,

      /** Why an answer may leave out something that a later one has, as a sentence: the server is starting, indexing or gone. */
      doubt,

      /** Why there may be no answer, as a sentence. */
      why(what: Wanted, document: OfLanguage): string {
        const { languageId } = document;
        const known = of(what, languageId);
        const none = `o extension provides ${what} for "${languageId}".`;
        if (!answering.has(languageId) && !hasServer(languageId)) return `N${none}`;
        if (answering.has(languageId) && LACKS.has(known)) return lacks(what, document);
        return (
          doubt(what, document) ??
          (known ? 'The language server reports none.' : `There are none, or n${none}`)
        );
      },
    },
  };
}

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
