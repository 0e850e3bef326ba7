import type {
  CreateMessageRequestParams,
  ImageContent,
  SamplingMessageContentBlock,
  ToolResultContent,
} from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import { UserError } from '../../../core/errors.ts';
import { blocksOf } from './samplingParams.ts';

/** The classes of messages for language models. */
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
