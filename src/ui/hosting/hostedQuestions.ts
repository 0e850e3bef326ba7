import * as vscode from 'vscode';
import type { Approvals } from '../../access/consent/approvals.ts';
import type { ApprovalOptions, Asked } from '../../access/consent/types.ts';
import { CancelledError } from '../../core/errors.ts';
import { type Grant, samplingGrant } from '../../core/grants.ts';
import type { AskingServer, Questions, UrlAnswer } from '../../hosting/index.ts';
import type { ApprovalPrompt } from '../approvals/prompt.ts';
import { chosen, formPage, formReader, linkPage, samplingPage } from './questionPages.ts';

interface Parts {
  /** What is always allowed in this workspace, and until the window is closed. */
  store: ApprovalOptions['store'];
  granted: Set<Grant>;
  prompt: Pick<ApprovalPrompt, 'pose'>;
  approvals(): Promise<Pick<Approvals, 'pose'>>;
}

/** What hosted servers ask the user of this window: in the same queue, and on the same page, as all other questions. */
export function hostedQuestions({ store, granted, prompt, approvals }: Parts): Questions {
  /** Undefined if nobody answers in time, or all calls that the server works on end before. @throws CancelledError */
  async function ask<T>(
    { server, callers }: AskingServer,
    { message, isForm = false }: { message: string; isForm?: boolean },
    signal: AbortSignal,
    show: (asked: Asked, ended: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const [caller, other] = callers.agents;
    const asking = {
      turn: server,
      asker: () => ({ agent: server }),
      isForm,
      agent: caller && !other ? caller.agent : '',
    };
    const call = { signal: AbortSignal.any([signal, callers.ended]), progress: () => {} };
    try {
      const queue = await approvals();
      return await queue.pose(asking, call, (opened, ended) => show({ ...opened, message }, ended));
    } catch (error) {
      if (error instanceof CancelledError && !signal.aborted) return undefined;
      throw error;
    }
  }

  return {
    async sampling(asking, request, signal) {
      const grant = samplingGrant({ key: asking.key, name: asking.server });
      const isAllowed = () => granted.has(grant) || store.get().includes(grant);
      if (isAllowed()) return true;
      const message = vscode.l10n.t('Ask the language model {0}?', request.model);
      const choice = await ask(asking, { message }, signal, async (asked, ended) => {
        if (isAllowed()) return 'once'; // by the answer to an earlier question
        const reader = chosen(['once', 'session', 'always', 'deny'] as const, 'deny');
        return prompt.pose(asked, samplingPage(asked, asking, request), reader, ended);
      });
      if (choice === 'session') granted.add(grant);
      if (choice === 'always') await store.set([...new Set([...store.get(), grant])]);
      return choice !== undefined && choice !== 'deny';
    },

    async form(asking, { message, fields }, signal) {
      const answer = await ask(asking, { message, isForm: true }, signal, (asked, ended) =>
        prompt.pose(asked, formPage(asked, asking, fields), formReader(asking.server, fields), ended),
      );
      return answer ?? { action: 'cancel' };
    },

    async page(asking, { message, url }, signal) {
      const reader = chosen(['accept', 'decline'] as const, 'cancel' as const);
      const action = await ask<UrlAnswer['action']>(asking, { message }, signal, (asked, ended) =>
        prompt.pose(asked, linkPage(asked, asking, url), reader, ended),
      );
      if (action !== 'accept') return { action: action ?? 'cancel' };
      // As a text: a Uri may encode it in another way.
      const isOpen = await vscode.env.openExternal(url.href as never);
      return { action: isOpen ? 'accept' : 'cancel' };
    },
  };
}
