import { percentDecoded } from '../../../core/paths.ts';
import type { ServerInput } from '../definition.ts';

/** Where texts come from that may be secrets. */
export interface SecretSources {
  entered: readonly (readonly [input: ServerInput, value: string])[];
  /** Values of variables, from the definition, its env file and VS Code's environment. */
  values: readonly string[];
  headers?: Readonly<Record<string, string>>;
  url?: URL;
}

/** Fewest characters of an entered value, and of any other: shorter ones are parts of too many words. */
const LEAST_ENTERED = 4;
const LEAST = 6;
/** Longest value, in UTF-16 units: a regular expression has no room for more. */
const LONGEST = 10_000;

/** Headers that say what is sent, and not who sends it. */
const PLAIN_HEADERS = /^(accept|content|user-agent)/i;

/** The texts to hide from agents and logs, with each line of a text on its own: a log has them line by line. */
export function secretTexts({ entered, values, headers = {}, url }: SecretSources): string[] {
  const ofHeaders = Object.entries(headers)
    .filter(([name]) => !PLAIN_HEADERS.test(name))
    .flatMap(([, value]) => [value, ...credentialsOf(value)]);
  const all = [...values, ...ofHeaders];
  const addresses = [...all.flatMap((value) => URL.parse(value) ?? []), ...(url ? [url] : [])];
  const sure = [
    ...entered.filter(([input, value]) => !isOption(input, value)).map(([, value]) => value),
    ...addresses.flatMap(({ password }) => [password, percentDecoded(password)]),
    ...all.flatMap(passwordOfBasic),
  ];
  const likely = [...all, ...addresses.flatMap(({ searchParams }) => [...searchParams.values()])];
  return [
    ...linesOf(sure).filter((text) => text.length >= LEAST_ENTERED),
    ...linesOf(likely).filter((text) => text.length >= LEAST && !isPlain(text)),
  ].filter((text) => text.length <= LONGEST);
}

/** Whether the value is written in the file. It is not if the input asked for a text when the user entered it. */
const isOption = (input: ServerInput, value: string): boolean =>
  input.type === 'pickString' &&
  input.options.some((option) => (typeof option === 'string' ? option : option.value) === value);

const linesOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(/[\r\n]+/)).map((line) => line.trim());

/** A word, a number, a path, or an address without anything secret: errors are hard to read without them. */
function isPlain(text: string): boolean {
  if (/^(\p{L}+|\d+)$/u.test(text) || isPath(text)) return true;
  const url = /^https?:/i.test(text) ? URL.parse(text) : null;
  return url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '';
}

/** An absolute one. Keys in base64 can start with `/` as well, but then hardly with a short word in lower case. */
const isPath = (text: string): boolean =>
  /^(~|[A-Za-z]:)[\\/]|^~$|^\\\\|^\/([a-z][a-z0-9._-]{0,15}|Users|Applications|Library|System|Volumes)?(\/|$)/.test(
    text,
  );

/** Without the scheme, as in `Bearer abc`. */
const credentialsOf = (value: string): string[] => /^[a-z][\w-]* +(\S.*)$/is.exec(value)?.slice(1) ?? [];

function passwordOfBasic(value: string): string[] {
  const [, encoded = ''] = /^Basic +([\w+/-]+=*)$/i.exec(value) ?? [];
  return /^[^:]*:(.+)$/s.exec(Buffer.from(encoded, 'base64').toString())?.slice(1) ?? [];
}
