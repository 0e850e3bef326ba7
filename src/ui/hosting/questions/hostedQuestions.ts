import * as vscode from 'vscode';
import { throwIfCancelled } from '../../../core/errors.ts';
import type { Elicitor } from '../../../hosting/answers/elicitation.ts';
import type { SamplingGrants } from '../../../hosting/answers/sampling/samplingGrants.ts';
import type { ApproveSampling } from '../../../hosting/answers/sampling.ts';
import { FairTurns } from '../../../util/keyedQueue.ts';
import { oneLine, quoted } from '../../untrustedText.ts';
import { askForm } from './elicitation/askForm.ts';
import { askPage } from './elicitation/askPage.ts';
import { HostedTexts } from './hostedTexts.ts';
import { askSampling } from './samplingPrompt.ts';

/** Most characters of a message in the title of a form; a longer message is shown in an editor. */
const MOST_IN_TITLE = 100;

/** What hosted servers ask the user of this window, one question at a time. Servers take turns. */
export class HostedQuestions implements vscode.Disposable {
  readonly #grants: SamplingGrants;
  readonly #turns = new FairTurns();
  readonly #texts = new HostedTexts();

  constructor(grants: SamplingGrants) {
    this.#grants = grants;
  }

  /**
   * Asks whether a server may ask a language model, unless it is allowed already.
   *
   * @param key from `grantKey`
   */
  samplingApproval(server: string, key: string): ApproveSampling {
    const isAllowed = () => this.#grants.has(key);
    return async (request, signal) =>
      isAllowed() ||
      this.#ask(server, signal, async () => {
        if (isAllowed()) return true; // by the answer to an earlier question
        const choice = await askSampling(this.#texts, server, request, signal);
        if (choice === 'session') this.#grants.allowForSession(key);
        if (choice === 'always') await this.#grants.allowAlways(key);
        return choice !== 'deny';
      });
  }

  /** Asks the user for what a server wants to know. */
  elicitor(server: string): Elicitor {
    return {
      form: ({ message, fields }, signal) =>
        this.#ask(server, signal, () => {
          const title = vscode.l10n.t('{0} asks: {1}', quoted(server, 40), oneLine(message, MOST_IN_TITLE));
          const ask = () => askForm(server, title, fields, signal);
          const isShort = message.length <= MOST_IN_TITLE && !message.includes('\n');
          const name = vscode.l10n.t('Messages of {0}', oneLine(server, 40));
          return isShort ? ask() : this.#texts.during(name, message, ask);
        }),
      page: ({ message, url }, signal) =>
        this.#ask(server, signal, () => askPage(server, message, url, signal)),
    };
  }

  dispose(): void {
    this.#texts.dispose();
  }

  /** A workbench that has lost its connection never answers; the next question does not wait for it. */
  async #ask<T>(server: string, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    const answer = await this.#turns.take(server, signal, ask);
    throwIfCancelled(signal);
    return answer as T;
  }
}
