import { type Fields, fieldsOf, isObject, itemsOf } from '../../core/json.ts';
import { pictureKind } from '../../core/picture.ts';
import { pictureBlock, type TextBlock } from '../tool.ts';

/** The pictures of a server's answer as what they are; a text in place of one that models do not take. */
export function withShownPictures(method: string, result: Fields): Fields {
  if (method === 'tools/call' && 'content' in result)
    return { ...result, content: itemsOf(result.content).map(shownBlock) };
  if (method !== 'prompts/get') return result;
  const messages = itemsOf(result.messages).map((message) =>
    isObject(message) ? { ...message, content: shownBlock(message.content) } : message,
  );
  return { ...result, messages };
}

function shownBlock(block: unknown): unknown {
  const { type, data, mimeType } = fieldsOf(block);
  if (type !== 'image' || typeof data !== 'string') return block;
  const shown = shownPicture(Buffer.from(data, 'base64'));
  if (shown.type === 'text') return shown;
  return shown.mimeType === mimeType ? block : { ...fieldsOf(block), mimeType: shown.mimeType };
}

/** A picture, or a text that says why it is left out. */
export function shownPicture(bytes: Uint8Array): ReturnType<typeof pictureBlock> | TextBlock {
  const kind = pictureKind(bytes) ?? { problem: 'it is of no kind that models take (PNG, JPEG, GIF, WebP)' };
  if ('mimeType' in kind) return pictureBlock(bytes, kind.mimeType);
  return { type: 'text', text: `[A picture is left out: ${kind.problem}.]` };
}
