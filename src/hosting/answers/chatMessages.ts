import {
  type CreateMessageRequestParams,
  type ImageContent,
  type SamplingMessage,
  type SamplingMessageContentBlock,
  specTypeSchemas,
  type ToolResultContent,
} from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { fieldName } from '../config/problems.ts';
import { invalidParams } from './refusals.ts';

export type ChatCode = Pick<
  typeof vscode,
  | 'LanguageModelChatMessage'
  | 'LanguageModelTextPart'
  | 'LanguageModelToolCallPart'
  | 'LanguageModelToolResultPart'
>;

/** VS Code 1.106 and newer. */
interface DataCode {
  LanguageModelDataPart?: { image(data: Uint8Array, mimeType: string): unknown };
}

type Content = SamplingMessageContentBlock | ToolResultContent['content'][number];

/**
 * The messages for VS Code's language models. They have no system role: VS Code's documentation gives such instructions as the
 * first user message.
 *
 * @throws UserError for content that these models do not take
 */
export function chatMessages(
  code: ChatCode,
  { messages, systemPrompt }: CreateMessageRequestParams,
): vscode.LanguageModelChatMessage[] {
  const { User, Assistant } = code.LanguageModelChatMessage;
  const converted = messages.map((message) => {
    const parts = blocksOf(message).map((block) => partOf(code, block));
    return message.role === 'user' ? User(parts as never) : Assistant(parts as never);
  });
  return systemPrompt ? [User(systemPrompt), ...converted] : converted;
}

function partOf(code: ChatCode, block: Content): unknown {
  switch (block.type) {
    case 'text':
      return new code.LanguageModelTextPart(block.text);
    case 'image':
      return imageOf(code as DataCode, block);
    case 'audio':
      throw new UserError('The language models of VS Code do not take audio. Send text or images.');
    case 'tool_use':
      return new code.LanguageModelToolCallPart(block.id, block.name, block.input);
    case 'tool_result':
      return new code.LanguageModelToolResultPart(block.toolUseId, resultOf(code, block));
    default: // a resource or a link to one
      return new code.LanguageModelTextPart(textOfResource(block));
  }
}

function resultOf(code: ChatCode, { content, structuredContent, isError }: ToolResultContent): unknown[] {
  const text = (value: string) => new code.LanguageModelTextPart(value);
  const parts = content.map((block) => partOf(code, block));
  if (parts.length === 0 && structuredContent !== undefined)
    parts.push(text(JSON.stringify(structuredContent)));
  return isError ? [text('The tool call failed:'), ...parts] : parts;
}

function imageOf({ LanguageModelDataPart }: DataCode, { data, mimeType }: ImageContent): unknown {
  if (!LanguageModelDataPart)
    throw new UserError('This version of VS Code passes no images to language models. Send text only.');
  return LanguageModelDataPart.image(Buffer.from(data, 'base64'), mimeType);
}

const textOfResource = (block: object): string => {
  const { resource } = block as { resource?: { text?: string } };
  return resource?.text ?? JSON.stringify(block);
};

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
