import { UserError } from '../../core/errors.ts';
import { REDACTED, type Redaction, type Span } from './redaction.ts';

/**
 * What stands for redacted text while an edit is planned: characters of no text (Unicode, 23.7, noncharacters), so that no
 * edit meets a part of it by chance. A line of redacted text is U+FFFF, its number in other ones, and U+FFFF.
 */
const SEALS = /[\uffff\ufdd0-\ufddf]+/g;
const isSealed = (text: string): boolean => text.search(SEALS) >= 0;
const unsealed = (text: string): string => text.replace(SEALS, REDACTED);

const sealOf = (number: number): string =>
  `\uffff${[...number.toString(16)].map((digit) => String.fromCharCode(0xfdd0 + Number.parseInt(digit, 16))).join('')}\uffff`;

const SETTING = 'setting workspaceMcp.access.redact';

interface Planned {
  /** The whole text afterwards. */
  after: string;
  /** Both as agents may see them. */
  shown: { before: string; after: string };
}

/**
 * Plans an edit on what the agent may see, so that no answer depends on what is redacted: by asking whether a text is there, it
 * could guess that letter by letter. All that is redacted has to stay, and to stay redacted.
 *
 * @param before with `\n` between the lines
 * @throws UserError where it would not, or the plan does not fit
 */
export function planRedacted(
  all: Redaction,
  path: string,
  before: string,
  plan: (text: string) => string,
): Planned {
  const redaction = all.of(path);
  const spans = redaction.spans(before);
  if (spans.length === 0) {
    const after = plan(before);
    return { after, shown: { before: redaction.redact(before), after: redaction.redact(after) } };
  }
  if (isSealed(before))
    throw refused(path, 'it has noncharacters of Unicode beside redacted text, and is not edited so');
  const sealed = seal(before, spans);
  const after = planned(path, sealed.text, plan);
  if (after.split(REDACTED).length > sealed.text.split(REDACTED).length)
    throw refused(path, `newText holds ${REDACTED}, which stands for text that you cannot see. Leave it out`);
  const restored = restore(path, after, sealed.pieces);
  requireCovered(path, restored.spans, redaction.spans(restored.text));
  return { after: restored.text, shown: { before: unsealed(sealed.text), after: unsealed(after) } };
}

interface Piece {
  seal: string;
  secret: string;
}

function seal(text: string, spans: readonly Span[]): { text: string; pieces: Piece[] } {
  const parts: string[] = [];
  let [at, count] = [0, 0];
  const pieces = spans.map(({ start, end }) => {
    const secret = text.slice(start, end);
    const piece = { secret, seal: secret.replace(/[^\n]+/g, () => sealOf(count++)) };
    parts.push(text.slice(at, start), piece.seal);
    at = end;
    return piece;
  });
  return { text: parts.join('') + text.slice(at), pieces };
}

function planned(path: string, text: string, plan: (text: string) => string): string {
  try {
    return plan(text);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(
      `${unsealed(error.message)}\nParts of ${path} are redacted for agents, shown as ${REDACTED} (${SETTING}): oldText has to stay outside of them.`,
      { lines: true },
    );
  }
}

/** With what was redacted in its place again. @throws UserError where not all of it is there whole, and in order */
function restore(path: string, after: string, pieces: readonly Piece[]): { text: string; spans: Span[] } {
  const parts: string[] = [];
  const spans: Span[] = [];
  let [at, length] = [0, 0];
  const add = (part: string) => {
    parts.push(part);
    length += part.length;
  };
  for (const { seal, secret } of pieces) {
    const found = after.indexOf(seal, at);
    const between = after.slice(at, Math.max(at, found));
    if (found < 0 || isSealed(between)) throw refused(path, 'redacted text has to stay where it is');
    add(between);
    spans.push({ start: length, end: length + secret.length });
    add(secret);
    at = found + seal.length;
  }
  const rest = after.slice(at);
  if (isSealed(rest)) throw refused(path, 'redacted text has to stay where it is');
  return { text: parts.join('') + rest, spans };
}

/** A pattern may look at what stands around a secret: an edit of that must not bring the secret to light. */
function requireCovered(path: string, secrets: readonly Span[], spans: readonly Span[]): void {
  let next = 0;
  for (const { start, end } of secrets) {
    while ((spans[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    const cover = spans[next];
    if (!cover || cover.start > start || cover.end < end)
      throw refused(path, 'redacted text would no longer be redacted. Edit what is farther from it');
  }
}

const refused = (path: string, why: string): UserError =>
  new UserError(`${path} is unchanged: ${why} (${SETTING}).`);
