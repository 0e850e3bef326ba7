import type {
  CreateMessageRequestParams,
  SamplingMessageContentBlock,
  Tool,
} from '@modelcontextprotocol/server';
import { blocksOf } from './samplingParams.ts';

/**
 * All that the model would get, as text for the user. Lines of the server are indented, so that they cannot pass as headings. Not
 * yet escaped.
 */
export function shownMessages({ systemPrompt, messages, tools = [] }: CreateMessageRequestParams): string {
  const parts = [
    ...(systemPrompt ? [part('system', systemPrompt)] : []),
    ...messages.map((message) => part(message.role, blocksOf(message).map(shownBlock).join('\n'))),
    ...tools.map((tool) => part('tool', shownTool(tool))),
  ];
  return `${parts.join('\n\n')}\n`;
}

const part = (heading: string, text: string): string => `${heading}:\n${text.replaceAll(/^/gm, '    ')}`;

function shownBlock(block: SamplingMessageContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${Buffer.byteLength(block.data, 'base64')} bytes]`;
    default:
      return JSON.stringify(block, undefined, 2);
  }
}

const shownTool = ({ name, description = '', inputSchema }: Tool): string =>
  `${name}\n${description}\n${JSON.stringify(inputSchema)}`;
