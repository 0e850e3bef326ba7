/** Finds what looks like a secret in settings, by names and by looks. */
import { isObject } from '../../core/json.ts';
import { cutText } from '../../core/messages.ts';
import { REDACTED } from './redaction.ts';

/** Words of names, in lower case. */
const SECRET_NAME =
  /\b(tokens?(?! (colou?r|custom|scope|type|modifier))|pass(word|wd|phrase|code)?s?|pwd|secrets?|credentials?|auth(entication|orization)?|bearer|cookies?|dsn|sas|pat|headers?|env(ironment)?|connection ?strings?|webhook|(api|access|private|secret|account|client|auth|sign(ing)?|encryption|subscription|license) ?keys?|apikeys?|key)\b/;

/** The rest is left out, because finding secrets takes time. In UTF-16 units. */
const LONGEST_TEXT = 10_000;

/** Of numbers only these are secret. */
const SECRET_NUMBER = /\b(pass\w*|pwd|pin|secrets?)\b/;

/** The first group stays. */
const SECRET_TEXTS: readonly RegExp[] = [
  /(:\/\/)(?:[^\s/]{0,100}:\S{0,500}|[^\s/]{1,500})(?=@)/g, // of a URL
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi,
  /((?:pass(?:word|wd|phrase)?|pwd|secret|token|api[-_]?key|access[-_]?key|account[-_]?key|\bsig|signature|authorization|credential)s?["']?\s*[=:]\s*)[^\s;&,"'][^\s;&"']*/gi,
  /(--?[\w-]{0,40}(?:token|password|secret|key)[\w-]{0,40}\s+)\S+/gi,
  /(\b)(?:gh[opsur]_|github_pat_|glpat-|sk-|xox[abeoprs]-|npm_|AKIA|AIza|hf_|ya29\.|eyJ)[\w.-]{12,}/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*/g,
];

/** A setting's value with its secrets redacted. @param isSecret everything in it is one */
export function withoutSecrets(name: string, value: unknown, isSecret = namesSecret(name)): unknown {
  if (typeof value === 'string') return isSecret && value !== '' ? REDACTED : textWithoutSecrets(value);
  if (typeof value === 'number') return SECRET_NUMBER.test(wordsOf(name)) ? REDACTED : value;
  if (Array.isArray(value))
    return value.map((item, index) => withoutSecrets(name, item, isSecret || isOption(value[index - 1])));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      textWithoutSecrets(key),
      withoutSecrets(
        key,
        item,
        isSecret || namesSecret(key) || namesSecret(`${value.name ?? value.key ?? ''}`),
      ),
    ]),
  );
}

/** As in `--token`, before its value. */
const isOption = (item: unknown): boolean =>
  typeof item === 'string' && item.startsWith('-') && !item.includes('=') && namesSecret(item);

const namesSecret = (name: string): boolean => SECRET_NAME.test(wordsOf(name));

const wordsOf = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[^a-z\d]+/gi, ' ')
    .toLowerCase();

const textWithoutSecrets = (text: string): string =>
  SECRET_TEXTS.reduce(
    (shown, pattern) => shown.replace(pattern, `$1${REDACTED}`),
    cutText(text, LONGEST_TEXT),
  );
