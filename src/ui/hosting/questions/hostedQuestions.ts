import * as vscode from 'vscode';
import { throwIfCancelled } from '../../../core/errors.ts';
import type { Elicitor } from '../../../hosting/answers/elicitation.ts';
import type { SamplingGrants } from '../../../hosting/answers/sampling/samplingGrants.ts';
import type { ApproveSampling } from '../../../hosting/answers/sampling.ts';
import { unlessAborted } from '../../../util/deadline.ts';
import { Turns } from '../../../util/keyedQueue.ts';
import { oneLine, quoted } from '../../untrustedText.ts';
import { askForm } from './elicitation/askForm.ts';
import { askPage } from './elicitation/askPage.ts';
import { HostedTexts } from './hostedTexts.ts';
import { askSampling } from './samplingPrompt.ts';

/** Most characters of a message in the title of a form; a longer message is shown in an editor. */
const MOST_IN_TITLE = 100;

/** What hosted servers ask the user of this window, one question at a time. */
export class HostedQuestions implements vscode.Disposable {
  readonly #grants: SamplingGrants;
  readonly #turns = new Turns();
  readonly #texts = new HostedTexts();

  constructor(grants: SamplingGrants) {
    this.#grants = grants;
  }

  /**
   * Asks whether a server may ask a language model, unless it is allowed already.
   *
   * @param key of the server and its definition in the grants
   */
  samplingApproval(server: string, key: string): ApproveSampling {
    return (request, signal) =>
      this.#ask(signal, async () => {
        if (this.#grants.has(key)) return true;
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
        this.#ask(signal, () => {
          const title = vscode.l10n.t('{0} asks: {1}', quoted(server, 40), oneLine(message, MOST_IN_TITLE));
          const ask = () => askForm(server, title, fields, signal);
          const isShort = message.length <= MOST_IN_TITLE && !message.includes('\n');
          const name = vscode.l10n.t('Messages of {0}', oneLine(server, 40));
          return isShort ? ask() : this.#texts.during(name, message, ask);
        }),
      page: ({ message, url }, signal) => this.#ask(signal, () => askPage(server, message, url, signal)),
    };
  }

  dispose(): void {
    this.#texts.dispose();
  }

  #ask<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    return this.#turns.take('question', async () => {
      throwIfCancelled(signal);
      // A workbench that has lost its connection never answers; the next question must not wait for it.
      const answer = await unlessAborted(ask(), signal);
      throwIfCancelled(signal);
      return answer as T;
    });
  }
}
