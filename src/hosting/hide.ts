/** Replaces secrets in texts that go to agents and logs. */
export type Hide = (text: string) => string;

const HIDDEN = '[redacted]';

/** Fewer characters in base64 would be found in texts that have nothing to do with the secret. */
const LEAST_BASE64 = 6;

/**
 * Finds secrets as they are, escaped in JSON or percent-encoded, and in base64, also within something longer such as `user:secret`
 * (from 5 bytes on; a neighbouring character of base64 goes too).
 */
export function hider(secrets: readonly string[]): Hide {
  const longestFirst = [...new Set(secrets)].filter(Boolean).sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return (text) => text;
  const patterns = [...longestFirst.map(writtenOut), ...longestFirst.flatMap(inBase64)];
  const pattern = new RegExp(patterns.join('|'), 'g');
  return (text) => text.replaceAll(pattern, HIDDEN);
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

/** The same error, whose class others look at. */
export function hiddenError<E extends Error>(error: E, hide: Hide): E {
  error.message = hide(error.message);
  if (error.stack !== undefined) error.stack = hide(error.stack); // it has the message
  return error;
}

const writtenOut = (secret: string): string => [...secret].map(anySpelling).join('');

/** A character as it is, after the backslashes of JSON in JSON, as `\u0022`, or as `%22`. */
function anySpelling(char: string): string {
  if (/[a-z0-9]/i.test(char)) return char;
  const hex = (number: number, digits: number) => anyCase(number.toString(16).padStart(digits, '0'));
  const units = Array.from({ length: char.length }, (_, index) => char.charCodeAt(index));
  const inJson = JSON.stringify(char).slice(1, -1);
  return `(?:${[
    ...(/^\\[a-z]$/.test(inJson) ? [`\\\\{1,2}${inJson.slice(1)}`] : []),
    ...(char === ' ' ? ['\\+'] : []),
    units.map((unit) => `\\\\{1,2}u${hex(unit, 4)}`).join(''),
    [...Buffer.from(char)].map((byte) => `%(?:25)?${hex(byte, 2)}`).join(''),
    `\\\\{0,3}${literal(char)}`, // last: the others may start with it
  ].join('|')})`;
}

const anyCase = (hex: string): string =>
  hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** At each of the three places that a byte can have in a group of base64. */
const inBase64 = (secret: string): string[] =>
  [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const start = offset === 0 ? 0 : offset + 1;
    const whole = bytes.toString('base64').slice(start, Math.floor((bytes.length * 4) / 3));
    if (whole.length < LEAST_BASE64) return [];
    // A character at each end may have bits of the secret, too.
    const around = (isShared: boolean) => (isShared ? '[\\w+/-]?' : '');
    const signs = whole.replaceAll(/[+/]/g, (sign) => (sign === '+' ? '(?:[+-]|%2[bB])' : '(?:[/_]|%2[fF])'));
    return [`${around(offset > 0)}${signs}${around(bytes.length % 3 > 0)}(?:=|%3[dD]){0,2}`];
  });
