import { UserError } from '../../core/errors.ts';
import { lineChanges } from '../../util/lineDiff.ts';
import { REDACTED, type Redaction } from './redaction.ts';

const SETTING = 'setting workspaceMcp.access.redact';

interface Planned {
  /** The whole text afterwards. */
  after: string;
  /** Both as agents may see them. */
  shown: { before: string; after: string };
}

/**
 * Plans an edit on the text as agents read it: otherwise an agent could guess redacted text letter by letter. Lines with redacted
 * text have to stay, and to stay redacted.
 *
 * @param before with `\n` between the lines
 * @throws UserError if they would not, or the plan does not fit
 */
export function planRedacted(
  all: Redaction,
  path: string,
  before: string,
  plan: (text: string) => string,
): Planned {
  const redaction = all.of(path);
  const shown = redaction.redact(before);
  const planned = plan(shown);
  const after = shown === before ? planned : withSecrets(path, before, shown, planned);
  const shownAfter = redaction.redact(after);
  if (shown !== before) requireRedacted(path, planned, shownAfter);
  return { after, shown: { before: shown, after: shownAfter } };
}

/** The planned text with its secrets. @throws UserError if a line with one was changed */
function withSecrets(path: string, before: string, shown: string, planned: string): string {
  if (planned.split(REDACTED).length > shown.split(REDACTED).length)
    throw refused(path, `newText holds ${REDACTED}, which replaces text that you cannot see. Leave it out`);
  const [lines, shownLines] = [linesOf(before), linesOf(shown)];
  for (const { start, end, text } of lineChanges(shown, planned).reverse()) {
    const next = end.character > 0 ? end.line + 1 : end.line;
    const replaced = lines.splice(start.line, next - start.line, text);
    const secret = replaced.findIndex((line, index) => line !== shownLines[start.line + index]);
    if (secret >= 0)
      throw refused(path, `line ${start.line + secret + 1} holds redacted text, and stays as it is`);
  }
  return lines.join('');
}

/** With their newlines. */
const linesOf = (text: string): string[] => text.split(/(?<=\n)/);

/** A pattern may look at the text around a secret: no edit of that may show the secret. */
function requireRedacted(path: string, planned: string, shownAfter: string): void {
  const after = shownAfter.split('\n');
  if (planned.split('\n').some((line, index) => line.includes(REDACTED) && line !== after[index]))
    throw refused(path, 'redacted text would no longer be redacted. Edit other lines');
}

const refused = (path: string, why: string): UserError =>
  new UserError(`${path} is unchanged: ${why} (${SETTING}).`);
