/** Finds what looks like a secret, by names and by looks. */
import { isObject } from '../../core/json.ts';
import { cutText } from '../../core/text/cut.ts';
import { REDACTED } from './redaction.ts';

/** Words of names, in lower case. Many are the end of a word, because names are also written together: `accesstoken`. */
const SECRET_NAME = new RegExp(
  [
    /(tokens?|secrets?|jwts?|credentials?|bearer|cookies?|webhooks?|auth(entication|orization)?|pwd)\d*\b(?! (colou?r|custom|scope|type|modifier))/,
    /((api|access|private|secret|account|client|auth) ?keys?|\b(sign(ing)?|encryption|subscription|license) ?keys?)\d*\b/,
    /passw|passphrase|(db|user|root|admin|ftp|smtp|ssh|proxy|mail|login|sql)pass\b/,
    /\b(pass(code)?s?|pw|creds?|otp|mnemonic|dsn|sas|pat|connection ?strings?)\b|\b(key|pin) ?$|密码|密钥|令牌/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Words of names in settings whose values have secrets among others. */
const HOLDS_SECRETS = /\b(headers?|env(ironment)?|key)\b/;

/** The rest is left out, because finding secrets takes time. In UTF-16 units. */
const LONGEST_TEXT = 10_000;

/** Names whose numbers are secret. */
const SECRET_NUMBER = /\bpass|passw(or)?d|(pwd|secrets?)\d*\b|\bpin\b/;

/** The value of a variable, or of a JSON field, which may be escaped. */
const VALUE = /(?:\\+"[^"\\]+\\*"?|"(?:\\[\s\S]|[^"\\])+"?|'[^']+'?|[^\s;&,"'][^\s;&"']*)/.source;
const NAME =
  /(?:pass(?:word|wd|phrase)?|pwd|secret|token|jwt|api[-_]?key|access[-_]?key|account[-_]?key|\bsig|signature|authorization|credential)s?\d*/
    .source;

/** The first group stays. */
const SECRET_TEXTS: readonly RegExp[] = [
  /(:\/\/)(?:[^\s/]{0,100}:\S{0,500}|[^\s/]{1,500})(?=@)/g, // of a URL
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi,
  new RegExp(String.raw`(${NAME}(?:\\*["'])?\s*[=:]\s*)${VALUE}`, 'gi'),
  /(--?[\w-]{0,40}(?:token|passw|passphrase|secret|key)[\w-]{0,40}\s+)(?:"[^"]*"?|'[^']*'?|\S+)/gi,
  /((?:^|\s)(?:-u\s?|--user[\s=])[^\s:/]{1,100}:)(?!\d+(?:\s|$))[^\s/]\S*/g,
  /(\b(?:(?:mysql|mariadb)\w*\b[^\n|;&]{0,200}?\s-p|(?:sshpass|docker login|podman login)\b[^\n|;&]{0,200}?\s-p\s?))[^\s-]\S*/g,
  /((?:hooks\.slack\.com\/(?:services|triggers|workflows)|discord(?:app)?\.com\/api\/webhooks|webhook\.office\.com\/webhookb2)\/)[^\s"'<>]+/g,
  /(\b)(?:gh[opsur]_|github_pat_|gl(?:pat|ptt|dt|rt)-|sk-|[rs]k_(?:live|test)_|whsec_|xox[a-z]-|xapp-|npm_|pypi-AgE|A[KS]IA(?=[A-Z\d]{12})|AIza|GOCSPX-|ya29\.|hf_|eyJ|d(?:op|oo|or)_v1_|dckr_pat_|hvs\.|shp(?:at|ss|ca)_|SG\.(?=[\w-]{16,}\.)|\d{8,10}:(?=[\w-]{35}\b))[\w.-]{12,}/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*/g,
];

/** A text of many kinds of characters without spaces, as secrets of unknown programs often are. */
const RANDOM = /^(?=.*\d)(?=.*[A-Za-z])[\w+/=-]{32,}$/;

/** Whether a value of this name is secret as a whole. */
export const namesSecret = (name: string): boolean => SECRET_NAME.test(wordsOf(name));

/** Whether a text is a secret, or has one. */
export const looksSecret = (text: string): boolean =>
  RANDOM.test(text) || SECRET_TEXTS.some((pattern) => text.slice(0, LONGEST_TEXT).search(pattern) >= 0);

/** A setting's value with its secrets redacted. @param isSecret everything in it is one */
export function withoutSecrets(name: string, value: unknown, isSecret = mayHoldSecrets(name)): unknown {
  if (typeof value === 'string') return isSecret && value !== '' ? REDACTED : textWithoutSecrets(value);
  if (typeof value === 'number') return SECRET_NUMBER.test(wordsOf(name)) ? REDACTED : value;
  if (Array.isArray(value))
    return value.map((item, index) =>
      withoutSecrets(name, item, isSecret || isSecretAfter(value[index - 1], item)),
    );
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      textWithoutSecrets(key),
      withoutSecrets(key, item, isSecret || [key, `${value.name ?? value.key ?? ''}`].some(mayHoldSecrets)),
    ]),
  );
}

/** As in `--token`, before its value. After `-p` there may also be a port or a path, after `-u` a number or no password. */
function isSecretAfter(option: unknown, item: unknown): boolean {
  if (typeof option !== 'string' || typeof item !== 'string' || !option.startsWith('-')) return false;
  if (option === '-p') return !/^[\d:.]+$|^-|[/\\]|\.\w+$/.test(item);
  if (/^(?:-u|--user)$/.test(option)) return /^[^\s:/]+:(?!\d+$|\/)./.test(item);
  return !option.includes('=') && mayHoldSecrets(option);
}

const mayHoldSecrets = (name: string): boolean => namesSecret(name) || HOLDS_SECRETS.test(wordsOf(name));

const wordsOf = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\d]+/gu, ' ')
    .toLowerCase();

const textWithoutSecrets = (text: string): string =>
  SECRET_TEXTS.reduce(
    (shown, pattern) => shown.replace(pattern, `$1${REDACTED}`),
    cutText(text, LONGEST_TEXT),
  );
