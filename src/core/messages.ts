/**
 * An error that the agent reads: what was wrong, with which value, and what to do. Anything else that is thrown is a
 * bug: the agent gets a generic message, the log gets the details.
 */
export class UserError extends Error {
  override name = 'UserError';

  /** @param lines whether newlines in the message are line breaks; otherwise they are escaped as parts of a name */
  constructor(message: string, { lines = false } = {}) {
    super(safeMessage(message, lines));
  }
}

/** The file, resource or window does not exist: a JSON-RPC error for a resource, a tool error in a tool. */
export class NotFoundError extends UserError {
  override name = 'NotFoundError';
}

/** Thrown by a cancelled request; no response is sent. */
export class CancelledError extends Error {
  override name = 'CancelledError';
}

/** For `catch`: a UserError becomes a value; any other error is rethrown. */
export const ifUserError =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof UserError) return value;
    throw error;
  };

/** For `catch`: a UserError or a cancellation is rethrown; any other error becomes the result of `otherwise`. */
export const unlessUserError =
  <T>(otherwise: () => T) =>
  (error: unknown): T => {
    if (error instanceof UserError || error instanceof CancelledError) throw error;
    return otherwise();
  };

/** @throws CancelledError once the signal is aborted */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new CancelledError('The request was cancelled.');
}

/** Escapes invisible characters: names of agents and files can forge lines or change the writing direction. */
export function safeMessage(message: string, lines = false): string {
  const shown = lines ? visibleText : visible;
  return cutMessage(shown(cutMessage(message)));
}

/** The system's reason without the path, because our own sentence already has it. */
export const reasonOf = ({ message }: Error): string => message.replace(/, \w+ '.*$/s, '');

/** What a function returns; undefined if it throws. For calls of which the failure is an answer. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** A pattern that is made when it is first used: with Unicode classes, V8 takes up to a millisecond in each process. Pure, for bundles without it. */
export function lazyPattern(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * A name that is safe in a line of text: line breaks, control and direction characters and half surrogate pairs are escaped, as
 * `\u{a}`. Joiners stay, because the name must remain usable.
 */
export const visible = (name: string): string =>
  name.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, spelledOut);

/** The same for a text of several lines: newlines and tabs stay. */
export const visibleText = (text: string): string =>
  text.replace(/(?!\r\n|[\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, spelledOut);

/**
 * Invisible characters. Long runs of marks or initial jamo count too: they cover other text, and a browser does not break lines
 * within them.
 */
const invisible = (): string =>
  String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|\p{M}(?<=\p{M}{5})|[\u1100-\u115f](?<=[\u1100-\u115f]{5})`;

/** Also spaces other than U+0020, which nobody expects in a line or a name. */
export const invisibleInLine = (): string => `${invisible()}|(?! )\\p{Zs}`;

const inLine = /* @__PURE__ */ lazyPattern(() => new RegExp(invisibleInLine(), 'gu'));
const inText = /* @__PURE__ */ lazyPattern(() => new RegExp(`(?!\\r\\n|[\\n\\t])(?:${invisible()})`, 'gu'));

/** A name with all invisible characters escaped, for a user who decides by reading it. */
export const allVisible = (text: string): string => text.replace(inLine(), spelledOut);

/** The same for a text of several lines, such as instructions for a model. All kinds of spaces stay. */
export const allVisibleText = (text: string): string => text.replace(inText(), spelledOut);

/** @param character one character or surrogate pair */
export const spelledOut = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/**
 * Control and bidirectional characters, tags, fillers, zero-width characters, and other spaces than U+0020. Joiners are not
 * included: many scripts and emoji need them. No flag `u`, which is slower, because every text that is read is searched.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
  /[\0-\x08\v\f\x0e-\x1f\x7f-\xa0\xad\u061c\u115f\u1160\u1680\u17b4\u17b5\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0]|\r(?!\n)|\udb40[\udc00-\udc7f]/;

/** Most texts have only these, which is checked in half of the time. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

const NAMED = 5;

/**
 * A sentence that lists the invisible characters of a text; undefined if there are none.
 *
 * @param firstLine number of the text's first line (1-based)
 */
export function noteOnHidden(text: string, firstLine = 1): string | undefined {
  if (PLAIN.test(text) || !HIDDEN.test(text)) return undefined;
  const named: string[] = [];
  let count = 0;
  let line = firstLine;
  let counted = 0;
  for (const { 0: character, index } of text.matchAll(new RegExp(HIDDEN, 'g'))) {
    if (++count > NAMED) continue;
    for (let at = text.indexOf('\n', counted); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++;
    counted = index;
    named.push(`${codeOf(character.codePointAt(0))} in line ${line}`);
  }
  const more = count > NAMED ? `, … (${count} in all)` : '';
  return `Invisible characters: ${named.join(', ')}${more}; the text contains them unchanged.`;
}

/** A code point as Unicode writes it: `U+200B`. */
export const codeOf = (code = 0): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * How a text looks: the same for other spaces, quotes and dashes, and for composed letters and those that are not. Compatibility
 * decomposition (Unicode, UAX #15) makes all spaces one, and takes letters apart.
 */
export function lookOf(text: string): string {
  if (/^[ -~]*$/.test(text)) return text; // nearly all names
  return text
    .normalize('NFKD')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-');
}

/** The first `length` UTF-16 units of a text, one less if that would split a surrogate pair: half a pair is not valid JSON. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

/** Cuts the middle of a text that has more than `length` UTF-16 units, without splitting surrogate pairs. */
export function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  const [start, end] = [cutText(text, half), text.slice(-half).replace(/^[\udc00-\udfff]/, '')];
  return `${start} […${text.length - start.length - end.length} characters…] ${end}`;
}

/** A message of an error, at most 8,000 UTF-16 units: it quotes the wrong value, and an agent may send megabytes. */
export const cutMessage = (message: string): string => cutMiddle(message, 8_000);

/** A number with its noun, such as "1 file" and "2 files". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** The first names of a list, and how many more there are. */
export const firstOf = (names: readonly string[], most = NAMED): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`;

/**
 * How many of the first items fit into an answer: at least one, at most `limit`.
 *
 * @param most UTF-16 units for all items
 * @param sizeOf UTF-16 units of one item
 */
export function fitting<T>(
  items: readonly T[],
  most: number,
  sizeOf: (item: T) => number,
  limit = items.length,
): number {
  let left = most;
  let count = 0;
  for (const item of items) {
    left -= sizeOf(item);
    if (count >= limit || (count > 0 && left < 0)) break;
    count++;
  }
  return count;
}

/** The first lines that fit into an answer: at least one. @param most UTF-16 units of all lines with their ends */
export const fittingLines = (lines: readonly string[], most: number): string[] =>
  lines.slice(
    0,
    fitting(lines, most, (line) => line.length + 1),
  );

/** The first `count` items of several lists, list by list. */
export function firstOfAll<T>(lists: readonly (readonly T[])[], count: number): T[][] {
  let left = count;
  return lists.map((list) => {
    const first = list.slice(0, left);
    left -= first.length;
    return first;
  });
}
