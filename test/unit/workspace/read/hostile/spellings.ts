/**
 * Hostile spellings of a path: ways to write one that is closed so that something on the way might take it for another. Each
 * is made for every target, so the corpus is their product.
 */

/** A file that is closed. */
export interface Target {
  /** From the workspace folder, with `/`. */
  relative: string;
  absolute: string;
}

type Spelling = (target: Target) => string;

const escaped = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const dotsEscaped = (text: string): string => text.replaceAll('.', '%2e');
const backward = (text: string): string => text.replaceAll('/', '\\');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
const swapped = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

/** In the URI of a file, a slash is before the drive of Windows. */
const inUris = (text: string): string =>
  process.platform === 'win32' ? text.replaceAll(/(?<=file:(?:\/\/)?(?:localhost)?)(?=ABS|UP)/gi, '/') : text;

/** REL stands for the path from the workspace folder on, ABS for the absolute one, BAS for that with `\\` and without its drive. */
const each = (all: string[]): Spelling[] =>
  all.map((one) => (target) => {
    const names = { REL: target.relative, LER: backward(target.relative), ABS: target.absolute };
    const bare = backward(target.absolute).replace(/^[a-z]:/i, '');
    const all = { ...names, SBA: backward(target.absolute), BAS: bare, UP: parentOf(target.absolute) };
    return inUris(one).replaceAll(
      /REL|LER|ABS|SBA|BAS|UP|NAME/g,
      (word) => all[word as keyof typeof all] ?? nameOf(target.absolute),
    );
  });

/** With white space between them. */
const written = (text: string): Spelling[] => each(text.trim().split(/\s+/));

/** Dots and slashes that say nothing; up and down again; percent signs in a path. */
const plain = written(`
  REL ABS ./REL ws/REL ./././/REL /ABS //ABS ABS/ REL/. REL//
  src/../REL src/deep/../../REL missing/../REL a.txt/../REL ../ws/REL ws/../REL src/.././../ws/REL UP/x/../NAME
  ${'/..'.repeat(40)}ABS ${'../'.repeat(40)}.ABS l-up/ws/REL .../REL ....//REL src/l-deep/../../ws/REL
  src/%2e%2e/REL src%2f..%2fREL src/..%5cREL %252e%252e/ws/REL src/%u002e%u002e/REL src/%c0%ae%c0%ae/REL`);

/** URIs of many schemes. */
const uris = written(`
  file://ABS file:ABS FILE://ABS file://localhostABS file://LOCALHOSTABS file://127.0.0.1ABS file://user@localhostABS
  file:///ABS file://UP/x/%2e%2e/NAME file://UP/x%2f..%2fNAME file://UP/%252e/NAME file://ABS?a.txt file://ABS#a.txt
  file://ABS?ABS file://ABS%00.txt file://ABS%20 file://ABS;a=b file://REL file:./REL vscode-remote://wsl+xABS
  vscode-file://vscode-appABS vscode-userdata:ABS vscode-local:ABS untitled:ABS git:ABS?{"path":"ABS","ref":""}
  jar:file://ABS!/x view-source:file://ABS http://localhostABS workspace-mcp:ABS`);

/** Paths, streams, devices and short names of Windows. */
const windows = written(String.raw`
  LER SBA BAS src\..\LER \\?\C:BAS \\?\SBA \\?SBA \\.\C:BAS \\?\UNC\localhost\c$BAS \\localhost\c$BAS \\127.0.0.1\c$BAS
  \\LOCALHOST\C$BAS //?/C:ABS //?/ABS \??\C:BAS \??\SBA C:BAS C:REL c:REL .\LER LER\. REL::$DATA REL:stream:$DATA REL:
  UP::$INDEX_ALLOCATION/NAME UP:$I30:$INDEX_ALLOCATION/NAME REL. REL... LER.\. UP./NAME UP.../NAME. REL.:x NUL/../REL
  aux.txt/../REL COM1:/../REL CON\..\LER`);

/** Links, and what systems know the root by; quotes, commands and globs. */
const systems = written(`
  /proc/self/rootABS /proc/self/cwd/../../../../../../../..ABS /proc/1/rootABS /dev/fd/../..ABS l-rootABS l-procABS
  src/l-deep/../..ABS l-chain/../ws/REL l-loop/../REL REL/..namedfork/data
  "REL" 'REL' \`REL\` a.txt;REL -fREL --pre=REL @ABS ~/../..ABS $HOME/../..ABS %USERPROFILE%/../..ABS
  {a.txt,REL} **/NAME !REL UP/** UP/* @(REL) ../**/NAME`);

/** Escapes, case, short names and globs that change the letters themselves. */
const changed: Spelling[] = [
  ({ absolute }) => absolute.replaceAll('/', '//'),
  ({ absolute }) => absolute.replaceAll('/', '/./'),
  ({ relative }) => relative.replaceAll('/', '%2f'),
  ({ relative }) => dotsEscaped(relative),
  ({ relative }) => escaped(relative),
  ({ absolute }) => `file://${dotsEscaped(absolute)}`,
  ({ absolute }) => `file://${dotsEscaped(absolute).replaceAll('%2e', '%2E')}`,
  ({ absolute }) => `file:///${escaped(absolute.slice(1))}`,
  ({ absolute }) => `file:///${absolute.slice(1).replaceAll('/', '%2f')}`,
  ({ absolute }) => `file:///${absolute.slice(1).replaceAll('/', '%5c')}`,
  ({ relative }) => relative.replace(/([^/.]{1,6})[^/]*$/, '$1~1'),
  ({ relative }) => relative.toUpperCase(),
  ({ absolute }) => absolute.toUpperCase(),
  ({ relative }) => swapped(relative),
  ({ absolute }) => `${parentOf(absolute)}/${swapped(nameOf(absolute))}`,
  ({ absolute }) => `file://${parentOf(absolute)}/${nameOf(absolute).toUpperCase()}`,
  ({ relative }) => relative.replace(/(.)$/, '[$1]'),
  ({ relative }) => relative.replace(/(.)$/, '?'),
];

/** Characters that look, or count, like others. */
const unicode: Spelling[] = [
  ({ relative }) => relative.normalize('NFD'),
  ({ relative }) => relative.normalize('NFC'),
  ...['.\uff0e', '.\u2024', '/\u2215', 'e\u0435'].map(
    ([from = '', to = '']): Spelling =>
      ({ relative }) =>
        relative.replaceAll(from, to),
  ),
  ({ relative }) => relative.replaceAll('s', '\u017f').replaceAll('k', '\u212a'),
  ({ relative }) => relative.replace(/(.)$/, '$1\u200d'),
  ({ relative }) => relative.replace(/^(.)/, '$1\u200c'),
  ...written('src/\uff0e\uff0e\uff0fREL src\u2044..\u2044REL \u202eREL REL\u0301 REL\ud800 \udc00/../REL'),
  ...each(['\ufeffREL']),
];

/** NUL, controls and white space, which a command may take for its end. */
const controls = each(
  [
    'REL\0¦REL\0.txt¦a.txt\0/../REL¦\0REL¦REL%00¦REL\n¦a.txt\nREL¦REL\r\n¦\tREL¦ REL¦REL ¦REL . .',
    '$(cat REL)¦|cat REL¦\u001b[2KREL¦REL\u0008',
  ].flatMap((some) => some.split('¦')),
);

/** By kind. */
export const SPELLINGS: readonly Spelling[][] = [plain, uris, windows, systems, changed, unicode, controls];
