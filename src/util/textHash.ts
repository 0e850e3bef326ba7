import { createHash } from 'node:crypto';
import { withLf } from '../core/text/replacements.ts';

/** A text as VS Code has it: without a byte order mark, and with `\n` between the lines. */
export const plainText = (text: string): string => withLf(text.replace(/^\uFEFF/, ''));

/** Equal for two texts that differ in their ends of lines, or a byte order mark, at most. */
export const textHash = (text: string): string =>
  createHash('sha256').update(plainText(text)).digest('base64');
