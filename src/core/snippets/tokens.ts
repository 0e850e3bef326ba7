/**
 * The terminals of the snippet grammar, as sticky regexps. Their alternatives never overlap, so a malicious body cannot cause long
 * backtracking.
 */
const INT = String.raw`\d+`;
const NAME = String.raw`(?:(?<number>${INT})|(?<name>[A-Za-z_]\w*))`;
const CHOICE = String.raw`(?:\\[,|\\]|\\(?![,|\\])|[^\\,|])+`;
const PATTERN = String.raw`(?:\\\/|\\(?!\/)|[^\\\/])*`;
/** Text of a format up to the given end. Its length is limited, so that many unclosed formats do not take quadratic time. */
const until = (end: string) => String.raw`(?:\\[$}\\]|[^\\${end}]){1,1000}`;
const rule = (source: string) => new RegExp(source, 'y');

export const ESCAPED = /\\([$}\\])/y;
export const BARE = rule(String.raw`\$${NAME}`);
export const BRACED = rule(String.raw`\$\{${NAME}\}`);
export const OPEN_DEFAULT = rule(String.raw`\$\{${NAME}:`);
export const CLOSE = /\}/y;
/** One choice of a list, for `match`. */
export const EACH_CHOICE = new RegExp(CHOICE, 'g');
/** `$0` is the final cursor and has no choices. */
export const CHOICES = rule(String.raw`\$\{(?<number>(?!0+\|)${INT})\|(?<list>${CHOICE}(?:,${CHOICE})*)\|\}`);
export const OPEN_TRANSFORM = rule(String.raw`\$\{${NAME}\/(?<pattern>${PATTERN})\/`);
export const CLOSE_TRANSFORM = /\/([a-z]*)\}/y;
export const TEXT = /[^$\\}]+|[\s\S]/y;

export const GROUP = rule(String.raw`\$(?<group>${INT})`);
export const BRACED_GROUP = rule(
  String.raw`\$\{(?<group>${INT})(?::(?:\/(?<shorthand>[A-Za-z_]\w*)|\+(?<plus>${until('}')})` +
    String.raw`|\?(?<then>${until(':')}):(?<else>${until('}')})|(?:-|(?![+?\/-]))(?<otherwise>${until('}')})))?\}`,
);
export const FORMAT_ESCAPED = /\\([\\/])/y;
export const FORMAT_TEXT = /[^$\\/]+|[^/]/y;
