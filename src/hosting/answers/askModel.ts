import type { CreateMessageRequestParams } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import { CancelledError, UserError } from '../../core/errors.ts';
import type { Fields } from '../../core/json.ts';
import { cutText } from '../../core/text/cut.ts';
import { type ChatCode, chatMessages } from './chatMessages.ts';
import { rejected } from './refusals.ts';

export type ModelCode = ChatCode &
  Pick<typeof vscode, 'CancellationTokenSource' | 'LanguageModelChatToolMode' | 'LanguageModelError'>;

interface AskedModel {
  model: vscode.LanguageModelChat;
  request: CreateMessageRequestParams;
  /** For VS Code's own question to the user. */
  justification: string;
}

/**
 * Sends the request to the model and collects its reply.
 *
 * @returns the result of `sampling/createMessage`
 * @throws UserError if the model fails; ProtocolError if the user does not let us use it; CancelledError
 */
export async function askModel(
  code: ModelCode,
  { model, request, justification }: AskedModel,
  signal: AbortSignal,
): Promise<object> {
  const messages = chatMessages(code, request);
  const source = new code.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const options = { ...requestOptions(code, request), justification };
    const { stream } = await model.sendRequest(messages, options, source.token);
    return { role: 'assistant', ...(await collect(code, { model, request }, stream)), model: model.id };
  } catch (error) {
    throw signal.aborted
      ? new CancelledError('The request was cancelled.')
      : failure(code, model, error as Error);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.cancel(); // stops a model whose reply was cut
    source.dispose();
  }
}

/** The names that providers of models use most. */
function requestOptions(
  code: ModelCode,
  { maxTokens, temperature, stopSequences, tools, toolChoice }: CreateMessageRequestParams,
): vscode.LanguageModelChatRequestOptions {
  const { Auto, Required } = code.LanguageModelChatToolMode;
  const modelOptions = {
    max_tokens: maxTokens,
    ...(temperature !== undefined && { temperature }),
    ...(stopSequences && { stop: stopSequences }),
  };
  if (!tools || tools.length === 0 || toolChoice?.mode === 'none') return { modelOptions };
  return {
    modelOptions,
    tools: tools.map(({ name, description = '', inputSchema }) => ({ name, description, inputSchema })),
    toolMode: toolChoice?.mode === 'required' ? Required : Auto,
  };
}

async function collect(
  code: ModelCode,
  { model, request }: Omit<AskedModel, 'justification'>,
  stream: AsyncIterable<unknown>,
): Promise<{ content: object; stopReason: string }> {
  const { maxTokens, stopSequences = [] } = request;
  const reply = new LimitedText(stopSequences, maxTokens, (text) => model.countTokens(text));
  const calls: Fields[] = [];
  for await (const part of stream) {
    if (part instanceof code.LanguageModelToolCallPart)
      calls.push({ type: 'tool_use', id: part.callId, name: part.name, input: part.input });
    else if (part instanceof code.LanguageModelTextPart && (await reply.add(part.value))) break;
  }
  const ended = await reply.end();
  const text = { type: 'text', text: reply.text };
  if (calls.length === 0) return { content: text, stopReason: ended ?? 'endTurn' };
  return { content: reply.text ? [text, ...calls] : calls, stopReason: 'toolUse' };
}

function failure(code: ModelCode, { name }: vscode.LanguageModelChat, error: Error): Error {
  if (error instanceof code.LanguageModelError && error.code === code.LanguageModelError.NoPermissions.name)
    return rejected(`The user does not let Workspace MCP use the language model ${name}.`);
  return new UserError(`The language model ${name} did not answer: ${error.message}`);
}

/** Fewest UTF-16 units between two counts of tokens. */
const COUNT_STEP_LENGTH = 64;

/** Collects a reply, up to a stop sequence or a number of tokens: models may ignore both in their options. */
class LimitedText {
  readonly #stops: readonly string[];
  readonly #longestStop: number;
  readonly #maxTokens: number;
  readonly #count: (text: string) => PromiseLike<number>;
  text = '';
  #reason: 'stopSequence' | 'maxTokens' | undefined;
  /** Length at which tokens are counted next. */
  #nextCount: number;

  /** @param count gives the tokens of a text */
  constructor(stops: readonly string[], maxTokens: number, count: (text: string) => PromiseLike<number>) {
    this.#stops = stops.filter((stop) => stop !== '');
    this.#longestStop = Math.max(0, ...this.#stops.map((stop) => stop.length));
    this.#maxTokens = maxTokens;
    this.#count = count;
    this.#nextCount = maxTokens + COUNT_STEP_LENGTH;
  }

  /** @returns whether the reply is complete, and the model can be stopped */
  async add(chunk: string): Promise<boolean> {
    const from = Math.max(0, this.text.length - this.#longestStop);
    this.text += chunk;
    const found = this.#stops.map((stop) => this.text.indexOf(stop, from)).filter((at) => at >= 0);
    if (found.length > 0) {
      this.text = this.text.slice(0, Math.min(...found));
      this.#reason = 'stopSequence';
      return true;
    }
    return this.text.length >= this.#nextCount && (await this.#countTokens()) > this.#maxTokens;
  }

  /** Cuts the text to its most tokens. @returns what ended it, if not the model */
  async end(): Promise<'stopSequence' | 'maxTokens' | undefined> {
    // A token has at least one byte.
    if (Buffer.byteLength(this.text) < this.#maxTokens) return this.#reason;
    const tokens = await this.#countTokens();
    if (tokens > this.#maxTokens) this.text = await this.#cut();
    // A model that keeps to the limit itself does not say so.
    return tokens >= this.#maxTokens ? 'maxTokens' : this.#reason;
  }

  async #countTokens(): Promise<number> {
    const tokens = await this.#count(this.text);
    this.#nextCount = this.text.length + Math.max(COUNT_STEP_LENGTH, this.#maxTokens - tokens);
    return tokens;
  }

  /** The longest beginning that is within the limit. */
  async #cut(): Promise<string> {
    let [fits, tooLong] = [0, this.text.length];
    while (tooLong - fits > 1) {
      const middle = Math.floor((fits + tooLong) / 2);
      if ((await this.#count(cutText(this.text, middle))) <= this.#maxTokens) fits = middle;
      else tooLong = middle;
    }
    return cutText(this.text, fits);
  }
}
