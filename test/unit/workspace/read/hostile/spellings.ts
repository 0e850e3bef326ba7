/**
 * Hostile spellings of a path: ways to write one that is closed so that something on the way might take it for another. By kind;
 * each is made for every target, so the corpus is their product.
 */

/** A file that is closed. */
export interface Target {
  /** From the workspace folder, with `/`. */
  relative: string;
  absolute: string;
}

type Spelling = (target: Target) => string;

const BACKSLASH = '\\';
const escaped = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const dotsEscaped = (text: string): string => text.replaceAll('.', '%2e');
const backward = (text: string): string => text.replaceAll('/', BACKSLASH);
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
const swapped = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

const plain: Spelling[] = [
  ({ relative }) => relative,
  ({ absolute }) => absolute,
  ({ relative }) => `./${relative}`,
  ({ relative }) => `ws/${relative}`,
  ({ relative }) => `./././/${relative}`,
  ({ absolute }) => `/${absolute}`,
  ({ absolute }) => `//${absolute}`,
  ({ absolute }) => absolute.replaceAll('/', '//'),
  ({ absolute }) => absolute.replaceAll('/', '/./'),
  ({ absolute }) => `${absolute}/`,
  ({ relative }) => `${relative}/.`,
  ({ relative }) => `${relative}//`,
];

const dotDot: Spelling[] = [
  ({ relative }) => `src/../${relative}`,
  ({ relative }) => `src/deep/../../${relative}`,
  ({ relative }) => `missing/../${relative}`,
  ({ relative }) => `a.txt/../${relative}`,
  ({ relative }) => `../ws/${relative}`,
  ({ relative }) => `ws/../${relative}`,
  ({ relative }) => `src/.././../ws/${relative}`,
  ({ absolute }) => `${parentOf(absolute)}/x/../${nameOf(absolute)}`,
  ({ absolute }) => `${'/..'.repeat(40)}${absolute}`,
  ({ absolute }) => `${'../'.repeat(40)}${absolute.slice(1)}`,
  ({ relative }) => `l-up/ws/${relative}`,
  ({ relative }) => `.../${relative}`,
  ({ relative }) => `....//${relative}`,
  ({ relative }) => `src/l-deep/../../ws/${relative}`,
];

const percent: Spelling[] = [
  ({ relative }) => relative.replaceAll('/', '%2f'),
  ({ relative }) => dotsEscaped(relative),
  ({ relative }) => `src/%2e%2e/${relative}`,
  ({ relative }) => `src%2f..%2f${relative}`,
  ({ relative }) => `src/..%5c${relative}`,
  ({ relative }) => `%252e%252e/ws/${relative}`,
  ({ relative }) => escaped(relative),
  ({ relative }) => `src/%u002e%u002e/${relative}`,
  ({ relative }) => `src/%c0%ae%c0%ae/${relative}`,
];

const uris: Spelling[] = [
  ({ absolute }) => `file://${absolute}`,
  ({ absolute }) => `file:${absolute}`,
  ({ absolute }) => `FILE://${absolute}`,
  ({ absolute }) => `file://localhost${absolute}`,
  ({ absolute }) => `file://LOCALHOST${absolute}`,
  ({ absolute }) => `file://127.0.0.1${absolute}`,
  ({ absolute }) => `file://user@localhost${absolute}`,
  ({ absolute }) => `file:///${absolute}`,
  ({ absolute }) => `file://${dotsEscaped(absolute)}`,
  ({ absolute }) =>
    `file://${dotsEscaped(absolute)
      .toUpperCase()
      .replace(/[A-Z]+(?!E)/g, (it) => it.toLowerCase())}`,
  ({ absolute }) => `file:///${escaped(absolute.slice(1))}`,
  ({ absolute }) => `file:///${absolute.slice(1).replaceAll('/', '%2f')}`,
  ({ absolute }) => `file:///${absolute.slice(1).replaceAll('/', '%5c')}`,
  ({ absolute }) => `file://${parentOf(absolute)}/x/%2e%2e/${nameOf(absolute)}`,
  ({ absolute }) => `file://${parentOf(absolute)}/x%2f..%2f${nameOf(absolute)}`,
  ({ absolute }) => `file://${parentOf(absolute)}/%252e/${nameOf(absolute)}`,
  ({ absolute }) => `file://${absolute}?a.txt`,
  ({ absolute }) => `file://${absolute}#a.txt`,
  ({ absolute }) => `file://${absolute}?${absolute}`,
  ({ absolute }) => `file://${absolute}%00.txt`,
  ({ absolute }) => `file://${absolute}%20`,
  ({ absolute }) => `file://${absolute};a=b`,
  ({ relative }) => `file://${relative}`,
  ({ relative }) => `file:./${relative}`,
  ({ absolute }) => `vscode-remote://wsl+x${absolute}`,
  ({ absolute }) => `vscode-file://vscode-app${absolute}`,
  ({ absolute }) => `vscode-userdata:${absolute}`,
  ({ absolute }) => `vscode-local:${absolute}`,
  ({ absolute }) => `untitled:${absolute}`,
  ({ absolute }) => `git:${absolute}?${JSON.stringify({ path: absolute, ref: '' })}`,
  ({ absolute }) => `jar:file://${absolute}!/x`,
  ({ absolute }) => `view-source:file://${absolute}`,
  ({ absolute }) => `http://localhost${absolute}`,
  ({ absolute }) => `workspace-mcp:${absolute}`,
];

const windows: Spelling[] = [
  ({ relative }) => backward(relative),
  ({ absolute }) => backward(absolute),
  ({ relative }) => `src${BACKSLASH}..${BACKSLASH}${backward(relative)}`,
  ({ absolute }) => `\\\\?\\C:${backward(absolute)}`,
  ({ absolute }) => `\\\\?${backward(absolute)}`,
  ({ absolute }) => `\\\\.\\C:${backward(absolute)}`,
  ({ absolute }) => `\\\\?\\UNC\\localhost\\c$${backward(absolute)}`,
  ({ absolute }) => `\\\\localhost\\c$${backward(absolute)}`,
  ({ absolute }) => `//?/C:${absolute}`,
  ({ absolute }) => `\\??\\C:${backward(absolute)}`,
  ({ absolute }) => `C:${absolute}`,
  ({ relative }) => `C:${relative}`,
  ({ relative }) => `${relative}::$DATA`,
  ({ relative }) => `${relative}:stream:$DATA`,
  ({ relative }) => `${parentOf(`./${relative}`)}::$INDEX_ALLOCATION/${nameOf(relative)}`,
  ({ relative }) => `${relative}.`,
  ({ relative }) => `${relative}...`,
  ({ relative }) => `${relative} `,
  ({ relative }) => `${relative} . .`,
  ({ relative }) => relative.replace(/([^/.]{1,6})[^/]*$/, '$1~1'),
  ({ relative }) => `NUL/../${relative}`,
  ({ relative }) => `aux.txt/../${relative}`,
];

const cases: Spelling[] = [
  ({ relative }) => relative.toUpperCase(),
  ({ absolute }) => absolute.toUpperCase(),
  ({ relative }) => swapped(relative),
  ({ absolute }) => `${parentOf(absolute)}/${swapped(nameOf(absolute))}`,
  ({ absolute }) => `file://${parentOf(absolute)}/${nameOf(absolute).toUpperCase()}`,
];

const unicode: Spelling[] = [
  ({ relative }) => relative.normalize('NFD'),
  ({ relative }) => relative.normalize('NFC'),
  ({ relative }) => relative.replaceAll('.', '\uff0e'),
  ({ relative }) => relative.replaceAll('.', '\u2024'),
  ({ relative }) => relative.replaceAll('/', '\u2215'),
  ({ relative }) => `src/\uff0e\uff0e\uff0f${relative}`,
  ({ relative }) => `src\u2044..\u2044${relative}`,
  ({ relative }) => relative.replace(/(.)$/, '$1\u200d'),
  ({ relative }) => relative.replace(/^(.)/, '$1\u200c'),
  ({ relative }) => `\u202e${relative}`,
  ({ relative }) => `\ufeff${relative}`,
  ({ relative }) => relative.replaceAll('s', '\u017f').replaceAll('k', '\u212a'),
  ({ relative }) => relative.replaceAll('e', '\u0435'),
  ({ relative }) => `${relative}\u0301`,
  ({ relative }) => `${relative}\ud800`,
  ({ relative }) => `\udc00/../${relative}`,
];

const controls: Spelling[] = [
  ({ relative }) => `${relative}\0`,
  ({ relative }) => `${relative}\0.txt`,
  ({ relative }) => `a.txt\0/../${relative}`,
  ({ relative }) => `\0${relative}`,
  ({ relative }) => `${relative}%00`,
  ({ relative }) => `${relative}\n`,
  ({ relative }) => `a.txt\n${relative}`,
  ({ relative }) => `${relative}\r\n`,
  ({ relative }) => `\t${relative}`,
  ({ relative }) => ` ${relative}`,
  ({ relative }) => `\u001b[2K${relative}`,
  ({ relative }) => `${relative}\u0008`,
];

const systems: Spelling[] = [
  ({ absolute }) => `/proc/self/root${absolute}`,
  ({ absolute }) => `/proc/self/cwd/../../../../../../../..${absolute}`,
  ({ absolute }) => `/proc/1/root${absolute}`,
  ({ absolute }) => `/dev/fd/../..${absolute}`,
  ({ absolute }) => `l-root${absolute}`,
  ({ absolute }) => `l-proc${absolute}`,
  ({ absolute }) => `src/l-deep/../..${absolute}`,
  ({ relative }) => `l-chain/../ws/${relative}`,
  ({ relative }) => `l-loop/../${relative}`,
  ({ relative }) => `${relative}/..namedfork/data`,
];

const shells: Spelling[] = [
  ({ relative }) => `"${relative}"`,
  ({ relative }) => `'${relative}'`,
  ({ relative }) => `$(cat ${relative})`,
  ({ relative }) => `|cat ${relative}`,
  ({ relative }) => `\`cat ${relative}\``,
  ({ relative }) => `a.txt;${relative}`,
  ({ relative }) => `-f ${relative}`,
  ({ relative }) => `--pre=cat ${relative}`,
  ({ absolute }) => `@${absolute}`,
  ({ absolute }) => `~/../..${absolute}`,
  ({ absolute }) => `$HOME/../..${absolute}`,
  ({ absolute }) => `%USERPROFILE%/../..${absolute}`,
];

const globs: Spelling[] = [
  ({ relative }) => relative.replace(/(.)$/, '[$1]'),
  ({ relative }) => relative.replace(/(.)$/, '?'),
  ({ relative }) => `{a.txt,${relative}}`,
  ({ relative }) => `**/${nameOf(relative)}`,
  ({ relative }) => `!${relative}`,
  ({ relative }) => `${parentOf(`./${relative}`)}/**`,
  ({ absolute }) => `${parentOf(absolute)}/*`,
  ({ relative }) => `@(${relative})`,
  ({ relative }) => `../**/${nameOf(relative)}`,
];

/** Names of kinds, as the tests print them. */
export const SPELLINGS: Record<string, readonly Spelling[]> = {
  'plain, with dots and slashes that say nothing': plain,
  'up and down again': dotDot,
  'percent signs in a path': percent,
  'URIs of many schemes and escapes': uris,
  'paths, streams, devices and short names of Windows': windows,
  'other case': cases,
  'characters that look, or count, like others': unicode,
  'NUL, controls and white space': controls,
  'links, and what systems know the root by': systems,
  'quotes and commands': shells,
  globs: globs,
};
