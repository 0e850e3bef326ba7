import * as z from 'zod';
import { visible } from '../../core/text/escapeInvisible.ts';
import type { OpenWindow } from '../context.ts';

export const folders = z.array(
  z.object({ name: z.string(), path: z.string().describe('Absolute path, or a URI') }),
);

/** The folders of a window in one line. */
export const foldersInWords = ({ folders }: Pick<OpenWindow, 'folders'>): string =>
  folders.map(({ name, path }) => visible(`${name} (${path})`)).join(', ') || 'no folder';

/** A window in one line. */
export function windowInWords({ id, ide, trusted, isThis, ...window }: OpenWindow): string {
  const notes = [isThis && 'this one', visible(ide), !trusted && 'not trusted'].filter(Boolean);
  return `${id} (${notes.join(', ')}): ${foldersInWords(window)}`;
}
