import { UserError } from '../errors.ts';
import { withLf } from '../text/replacements.ts';
import { isBeginPatch, readBeginPatch } from './beginPatch.ts';
import type { FilePatch } from './filePatch.ts';
import { readUnifiedDiff } from './unifiedDiff.ts';

/**
 * Reads a unified diff, or a patch that starts with `*** Begin Patch`.
 *
 * @returns at least one file
 * @throws UserError with the line that does not fit
 */
export function parsePatch(patch: string): FilePatch[] {
  const lines = withLf(patch).replace(/\n$/, '').split('\n');
  const files = isBeginPatch(lines) ? readBeginPatch(lines) : readUnifiedDiff(lines);
  if (files.length > 0) return files;
  if (patch.trim() === '') throw new UserError('The patch is empty.');
  throw new UserError(
    'The patch changes no text. A unified diff has "--- a/PATH", "+++ b/PATH" and "@@" lines above its changes; the other form is between "*** Begin Patch" and "*** End Patch".',
  );
}
