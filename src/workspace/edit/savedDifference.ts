import type { Location } from '../read/location.ts';
import type { JournalAccess, TextChange } from './request.ts';
import { differenceOf } from './undo.ts';

/** Lines of a diff that import something, in most languages. */
const IMPORT = /^[-+]\s*(import|from|use|using|require|#include)\b/gm;

/**
 * What VS Code changed while it saved an edit, as agents may see it; undefined if nothing.
 *
 * @param savedText with `\n` between the lines
 */
export function savedDifference(
  { redactor }: Pick<JournalAccess, 'redactor'>,
  { path }: Location,
  { before, after }: TextChange,
  savedText: string,
): string | undefined {
  if (savedText === after) return undefined;
  const shown = (text: string) => redactor.text(text, path);
  const diff = differenceOf(path, shown(after), shown(savedText), 0).replace(/^---.*\n\+\+\+.*\n/, '');
  const head =
    savedText === before
      ? 'The edit has no effect: on save, an action or formatter of the user took it back:'
      : 'On save, an action or formatter of the user changed more:';
  const imports = diff.match(IMPORT) ?? [];
  const isUnused = imports.length > 0 && imports.every((line) => line.startsWith('-'));
  return [
    head,
    diff,
    ...(isUnused ? ['An import that nothing uses is removed: add it together with its use.'] : []),
    ...(diff.endsWith('\n…') ? ['Read the file again for the rest.'] : []),
  ].join('\n');
}
