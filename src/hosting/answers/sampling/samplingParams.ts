import {
  type CreateMessageRequestParams,
  type SamplingMessage,
  type SamplingMessageContentBlock,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import { fieldName } from '../../config/problems.ts';
import { invalidParams } from '../refusals.ts';

/** Checks the parameters of `sampling/createMessage`. @throws ProtocolError (invalid params) */
export function samplingParams(params: unknown): CreateMessageRequestParams {
  const checked = specTypeSchemas.CreateMessageRequestParams['~standard'].validate(params);
  if (checked instanceof Promise) throw new Error('The schemas of the SDK are synchronous.');
  if (checked.issues) {
    const [issue] = checked.issues;
    const path = (issue?.path ?? []).map((part) => (typeof part === 'object' ? part.key : part));
    throw invalidParams(
      `Invalid parameters of sampling/createMessage: ${fieldName(path)}: ${issue?.message}`,
    );
  }
  checkToolResults(checked.value.messages);
  return checked.value;
}

export const blocksOf = ({ content }: SamplingMessage): SamplingMessageContentBlock[] =>
  Array.isArray(content) ? content : [content];

/**
 * Tool calls of the assistant are followed by a user message with the result of each, and with nothing else (MCP 2025-11-25,
 * sampling, message content constraints).
 */
function checkToolResults(messages: readonly SamplingMessage[]): void {
  let calls: string[] = [];
  for (const message of messages) {
    const blocks = blocksOf(message);
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : []));
    if (results.length > 0 && results.length < blocks.length)
      throw invalidParams('A message with tool results must not have other content.');
    const missing = calls.find((id) => !results.includes(id));
    if (missing !== undefined) throw invalidParams(`The result of the tool call ${missing} is missing.`);
    const extra = results.find((id) => !calls.includes(id));
    if (extra !== undefined)
      throw invalidParams(`There is no tool call ${extra} in the message before its result.`);
    calls = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    if (message.role === 'user' && calls.length > 0) throw invalidParams('Only the assistant calls tools.');
  }
  if (calls.length > 0) throw invalidParams(`The result of the tool call ${calls[0]} is missing.`);
}
