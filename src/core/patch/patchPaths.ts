/** The names of files in the headers of a unified diff. */

/**
 * A name as a header has it; undefined for `/dev/null`, or for a file that `diff -N` says did not exist.
 *
 * @param field `a/b.ts`, `"a/\303\244.ts"`, or with a time after a tab
 */
export function nameOf(field: string): string | undefined {
  const [name = '', time = ''] = splitField(field);
  return name === '/dev/null' || /^(?:1970-01-01|1969-12-31) /.test(time) ? undefined : name;
}

function splitField(field: string): [name: string, rest: string] {
  const quoted = /^"(?:[^"\\]|\\.)*"/.exec(field)?.[0];
  if (quoted) return [unquoted(quoted), field.slice(quoted.length).trim()];
  const tab = field.indexOf('\t');
  return tab < 0 ? [field.trimEnd(), ''] : [field.slice(0, tab), field.slice(tab + 1)];
}

const ESCAPES: Record<string, string> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' };

/** A name that Git quoted as in C: other characters than ASCII are octal bytes of UTF-8. */
export function unquoted(name: string): string {
  if (!/^".*"$/s.test(name)) return name;
  const bytes = name.slice(1, -1).replaceAll(/\\([0-7]{3}|.)|[^\\]+/gs, (piece, escaped?: string) => {
    if (escaped === undefined) return Buffer.from(piece).toString('latin1');
    if (escaped.length === 3) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff);
    return ESCAPES[escaped] ?? escaped;
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The two names of `diff --git A B`; undefined if it is not clear where the first one ends. */
export function gitNames(rest: string): [string, string] | undefined {
  const parts = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(rest)?.slice(1);
  const half = (rest.length - 1) / 2;
  const [a, b] = parts ?? [rest.slice(0, half), rest.slice(half + 1)];
  return a && b && (parts || rest.charAt(half) === ' ') ? [unquoted(a), unquoted(b)] : undefined;
}

/**
 * The file that two names mean, without prefixes such as `a/` and `b/`; undefined if they mean two files.
 */
export function commonName(a: string, b: string): string | undefined {
  if (a === b) return a;
  const [bareA, bareB] = [bare(a), bare(b)];
  if (bareA === bareB) return bareA;
  // `diff -u x.orig x`
  if (/^[.~]/.test(a.startsWith(b) ? a.slice(b.length) : '')) return b;
  return /^[.~]/.test(b.startsWith(a) ? b.slice(a.length) : '') ? a : undefined;
}

/** Without the first folder. */
const bare = (name: string): string => name.slice(name.indexOf('/') + 1);

/** A name without Git's prefix. @param prefix `a/` or `b/` */
export const withoutPrefix = (name: string, prefix: string): string =>
  name.startsWith(prefix) ? name.slice(prefix.length) : name;
