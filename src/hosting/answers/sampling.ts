import type * as vscode from 'vscode';
import { throwIfCancelled } from '../../core/errors.ts';
import { allVisible } from '../../core/text/escapeInvisible.ts';
import type { Answer } from '../connection/client.ts';
import { rejected } from './refusals.ts';
import { askModel, type ModelCode } from './sampling/askModel.ts';
import { chatMessages } from './sampling/chatMessages.ts';
import { chooseModel } from './sampling/chooseModel.ts';
import { RateLimit } from './sampling/rateLimit.ts';
import { samplingParams } from './sampling/samplingParams.ts';
import { shownMessages } from './sampling/shownMessages.ts';

/** Most requests of a server within a minute, by default. */
const PER_MINUTE = 10;

/** Most tokens of a reply, by default. */
const MOST_TOKENS = 16_384;

/** What the user decides about. Texts of the server are not escaped. */
export interface SamplingRequest {
  /** The messages, the system prompt and the tools, as the model would get them. */
  text: string;
  /** The name of the model, for the user. */
  model: string;
  /** Most tokens of the reply. */
  maxTokens: number;
}

/** Asks the user. @returns whether the model may be asked. @throws CancelledError once the signal is aborted */
export type ApproveSampling = (request: SamplingRequest, signal: AbortSignal) => Promise<boolean>;

export interface SamplingOptions {
  /** The server's name, for VS Code's own question. */
  server: string;
  approve: ApproveSampling;
  /** Ids, families or `vendor/id` of the models that the server may use; by default all. */
  models?: readonly string[] | undefined;
  /** Most tokens of one reply; 16,384 by default. */
  maxTokens?: number | undefined;
  /** Most requests within a minute, those that the user denies included; 10 by default. */
  perMinute?: number | undefined;
}

export type SamplingCode = ModelCode & Pick<typeof vscode, 'lm' | 'l10n'>;

/**
 * Answers `sampling/createMessage` with VS Code's language models. `includeContext` is ignored, as the specification allows.
 * One answer for each server, because it counts the server's requests.
 */
export function samplingAnswer(code: SamplingCode, options: SamplingOptions): Answer {
  const { server, approve, models, perMinute = PER_MINUTE, maxTokens: most = MOST_TOKENS } = options;
  const rate = new RateLimit(perMinute);
  return async (params, signal) => {
    const sent = samplingParams(params);
    rate.take();
    chatMessages(code, sent); // what the model cannot take is refused before the user is asked
    const model = chooseModel(await code.lm.selectChatModels(), sent.modelPreferences, models);
    const request = { ...sent, maxTokens: Math.min(sent.maxTokens, most) };
    const { maxTokens } = request;
    const isAllowed = await approve({ text: shownMessages(request), model: model.name, maxTokens }, signal);
    throwIfCancelled(signal);
    if (!isAllowed) throw rejected('User rejected sampling request');
    const justification = code.l10n.t('The MCP server {0} asks a language model.', allVisible(server));
    return await askModel(code, model, request, justification, signal);
  };
}
