import { createHash } from 'node:crypto';
import { withLf } from '../core/text/replacements.ts';

/** Equal for two texts that differ in their ends of lines at most. */
export const textHash = (text: string): string => createHash('sha256').update(withLf(text)).digest('base64');
