import type { CreateMessageRequestParams } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import { CancelledError, UserError } from '../../../core/errors.ts';
import type { Fields } from '../../../core/json.ts';
import { rejected } from '../refusals.ts';
import { type ChatCode, chatMessages } from './chatMessages.ts';
import { LimitedText } from './limitedText.ts';

export type ModelCode = ChatCode &
  Pick<typeof vscode, 'CancellationTokenSource' | 'LanguageModelChatToolMode' | 'LanguageModelError'>;

/**
 * Sends the request to the model and collects its reply.
 *
 * @param justification for VS Code's own question to the user
 * @returns the result of `sampling/createMessage`
 * @throws UserError if the model fails; ProtocolError if the user does not let us use it; CancelledError
 */
export async function askModel(
  code: ModelCode,
  model: vscode.LanguageModelChat,
  request: CreateMessageRequestParams,
  justification: string,
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
    return { role: 'assistant', ...(await collect(code, model, request, stream)), model: model.id };
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
  model: vscode.LanguageModelChat,
  { maxTokens, stopSequences = [] }: CreateMessageRequestParams,
  stream: AsyncIterable<unknown>,
): Promise<{ content: object; stopReason: string }> {
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
