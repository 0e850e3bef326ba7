import { UserError } from '../../core/errors.ts';
import { REDACTED, type Redaction } from './redaction.ts';

const SETTING = 'setting workspaceMcp.access.redact';

/** Between the texts of cells: in no source. */
const BETWEEN = '\n\0\n';

/** A cell after an edit. */
interface Cell {
  text: string;
  /** Its index before; undefined for a new one. */
  from?: number;
  /** Neither moved nor of another kind. */
  stays: boolean;
}

/**
 * Cells with redacted text must not change, and must stay redacted: a pattern may depend on the text of other cells.
 *
 * @param before the texts of all cells before the edit
 * @throws UserError
 */
export function requireRedactedCells(
  redaction: Redaction,
  path: string,
  before: readonly string[],
  after: readonly Cell[],
): void {
  if (redaction.isOff) return;
  const kept = new Map(
    after.flatMap((cell, index) => {
      const { from = -1, stays, text } = cell;
      return stays && before[from] === text ? [[from, index] as const] : [];
    }),
  );
  const isWritten = ({ text, from = -1 }: Cell) => before[from] !== text && text.includes(REDACTED);
  if (after.some(isWritten))
    throw refused(
      path,
      `a source contains ${REDACTED}, a placeholder for text that you cannot see. Remove it`,
    );
  const shown = redactedTexts(redaction, before);
  const shownAfter = redactedTexts(
    redaction,
    after.map(({ text }) => text),
  );
  for (const [from, text] of shown.entries()) {
    const isSecret = text !== before[from];
    const index = kept.get(from);
    if (isSecret && index === undefined)
      throw refused(
        path,
        `cell ${from + 1} contains redacted text, so it cannot be changed. Edit other cells`,
      );
    if (isSecret && index !== undefined && shownAfter[index] !== text)
      throw refused(path, 'redacted text would no longer be redacted. Edit other cells');
  }
}

/** The texts of all cells, redacted together. All are redacted if a pattern matches over the end of a cell. */
function redactedTexts(redaction: Redaction, texts: readonly string[]): string[] {
  const redacted = redaction.redact(texts.join(BETWEEN)).split(BETWEEN);
  return redacted.length === texts.length ? redacted : texts.map(() => REDACTED);
}

const refused = (path: string, why: string): UserError =>
  new UserError(`${path} is unchanged: ${why} (${SETTING}).`);
