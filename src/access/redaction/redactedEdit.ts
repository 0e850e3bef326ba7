import { UserError } from '../../core/errors.ts';
import { lineChanges } from '../../util/lineDiff.ts';
import { REDACTED, type Redaction } from './redaction.ts';

const SETTING = 'setting workspaceMcp.access.redact';

interface Planned {
  after: string;
  /** Both texts, redacted. */
  shown: { before: string; after: string };
}

/**
 * Plans an edit on the redacted text: otherwise an agent could guess redacted text letter by letter. Lines with redacted text must
 * not change, and must stay redacted.
 *
 * @param before with `\n` line ends
 * @throws UserError if such a line would change or show redacted text, or as `plan` does
 */
export async function planRedacted(
  all: Redaction,
  path: string,
  before: string,
  plan: (text: string) => string | Promise<string>,
): Promise<Planned> {
  const redaction = all.of(path);
  const shown = redaction.redact(before);
  const planned = await plan(shown);
  const after = shown === before ? planned : withSecrets(path, before, shown, planned);
  const shownAfter = redaction.redact(after);
  if (shown !== before) requireRedacted(path, planned, shownAfter);
  return { after, shown: { before: shown, after: shownAfter } };
}

/** Puts the redacted text back into the planned text. @throws UserError if a line with redacted text was changed */
function withSecrets(path: string, before: string, shown: string, planned: string): string {
  if (planned.split(REDACTED).length > shown.split(REDACTED).length)
    throw refused(
      path,
      `newText contains ${REDACTED}, a placeholder for text that you cannot see. Remove it`,
    );
  const [lines, shownLines] = [linesOf(before), linesOf(shown)];
  for (const { start, end, text } of lineChanges(shown, planned).reverse()) {
    const next = end.character > 0 ? end.line + 1 : end.line;
    const replaced = lines.splice(start.line, next - start.line, text);
    const secret = replaced.findIndex((line, index) => line !== shownLines[start.line + index]);
    if (secret >= 0)
      throw refused(
        path,
        `line ${start.line + secret + 1} contains redacted text, so it cannot be changed. Edit other lines`,
      );
  }
  return lines.join('');
}

/** Lines with their newlines. */
const linesOf = (text: string): string[] => text.split(/(?<=\n)/);

/** A pattern may depend on the text around a secret, so an edit there must not reveal it. @throws UserError */
function requireRedacted(path: string, planned: string, shownAfter: string): void {
  const after = shownAfter.split('\n');
  if (planned.split('\n').some((line, index) => line.includes(REDACTED) && line !== after[index]))
    throw refused(path, 'redacted text would no longer be redacted. Edit other lines');
}

/** Between the texts of cells: in no source. */
const BETWEEN = '\n\0\n';

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
  const isWritten = ({ text, from = -1 }: Cell) => before[from] !== text && text.includes(REDACTED);
  if (after.some(isWritten))
    throw refused(
      path,
      `a source contains ${REDACTED}, a placeholder for text that you cannot see. Remove it`,
    );
  const shownAfter = redactedTexts(
    redaction,
    after.map(({ text }) => text),
  );
  const laterOf = new Map(after.map((cell, index) => [cell.from, { ...cell, shown: shownAfter[index] }]));
  for (const [from, shown] of redactedTexts(redaction, before).entries()) {
    if (shown === before[from]) continue;
    const later = laterOf.get(from);
    if (!later?.stays || later.text !== before[from])
      throw refused(
        path,
        `cell ${from + 1} contains redacted text, so it cannot be changed. Edit other cells`,
      );
    if (later.shown !== shown)
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
