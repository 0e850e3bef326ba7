/** Replaces secrets in texts that go to agents and logs. Never throws. */
export type Hide = (text: string) => string;

const HIDDEN_TEXT = '[redacted]';

/** Fewer characters in base64 would be found in texts that have nothing to do with the secret. */
const BASE64_LENGTH = 6;

/** Most UTF-16 units that are searched of one text, and most secrets: each text is searched for each spelling of each. */
const TEXT_LENGTH = 1_000_000;
const MOST_SECRETS = 200;
/** Longest spelling of a secret of 10,000 UTF-16 units. */
const SPELLING_LENGTH = 120_000;
const TOO_MANY_TEXT = `[not shown: there are more than ${MOST_SECRETS} values to hide in it]`;

/**
 * Finds secrets as they are, escaped in JSON once or twice or percent-encoded, and in base64, also within something longer such as
 * `user:secret` (from 5 bytes on; a neighbouring character of base64 goes too). What is too long or too much to be searched is left
 * out.
 */
export function hider(secrets: readonly string[]): Hide {
  const all = [...new Set(secrets)].filter(Boolean);
  if (all.length === 0) return (text) => text;
  if (all.length > MOST_SECRETS) return () => TOO_MANY_TEXT;
  // The longest first: others may be parts of it.
  const longestFirst = (texts: readonly string[]) =>
    [...new Set(texts)].sort((one, other) => other.length - one.length);
  const written = longestFirst(all.flatMap(writtenOut));
  const encoded = longestFirst(all.flatMap(inBase64));
  return (text) => {
    const start = written.reduce((now, one) => now.replaceAll(one, HIDDEN_TEXT), text.slice(0, TEXT_LENGTH));
    const hidden = encoded.reduce(withoutBase64, start);
    // The end may be the beginning of a secret.
    return text.length > TEXT_LENGTH ? `${hidden.slice(0, -SPELLING_LENGTH)}…` : hidden;
  };
}

/** Hides in all texts of a JSON value, but not in names of fields. Changes the value; it may nest as deep as it likes. */
export function hideIn<T>(value: T, hide: Hide): T {
  const root = [value];
  const open: object[] = [root];
  for (let one = open.pop(); one; one = open.pop())
    // Assigning would not change a field `__proto__`.
    for (const [key, item] of Object.entries(one))
      if (typeof item === 'string') Object.defineProperty(one, key, { value: hide(item) });
      else if (typeof item === 'object' && item !== null) open.push(item);
  return root[0] as T;
}

/** Hides in an error, whose class others look at. */
export function hiddenError<E extends Error>(error: E, hide: Hide): E {
  error.message = hide(error.message);
  if (error.stack !== undefined) error.stack = hide(error.stack); // it has the message
  return error;
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const inAscii = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

function writtenOut(secret: string): string[] {
  const json = inJson(secret);
  const percent = encodeURIComponent(secret.toWellFormed());
  const form = new URLSearchParams({ '': secret }).toString().slice(1);
  const inUrls = [percent, form].flatMap((one) => [one, inLowerCase(one), one.replaceAll('%', '%25')]);
  return [secret, json, json.replaceAll('/', '\\/'), inAscii(json), inJson(json), ...inUrls];
}

const inLowerCase = (encoded: string): string => encoded.replaceAll(/%../g, (byte) => byte.toLowerCase());

/** At each of the three places that a byte can have in a group of base64: the characters that have bits of the secret only. */
const inBase64 = (secret: string): string[] =>
  [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const start = offset === 0 ? 0 : offset + 1;
    const whole = bytes.toString('base64').slice(start, Math.floor((bytes.length * 4) / 3));
    if (whole.length < BASE64_LENGTH) return [];
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(whole)];
  });

/** A character at each end may have bits of the secret, too. */
function withoutBase64(text: string, encoded: string): string {
  const parts = text.split(encoded);
  return parts
    .map((part, index) => (index === 0 ? part : part.replace(/^[\w+/-]?(=|%3[dD]){0,2}/, '')))
    .map((part, index) => (index === parts.length - 1 ? part : part.replace(/[\w+/-]$/, '')))
    .join(HIDDEN_TEXT);
}
