import { readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { FakeDiagnostic, Range, Selection } from '../../fakes/text.ts';
import type { Machine, TestWindow } from '../harness.ts';
import { plant } from '../testWindow.ts';
import { SPELLINGS, type Target } from './spellings.ts';

/** Is in every file that is closed, and in no other. */
export const SECRET = 'top-secret-contents';

/** A name that lies beside what is asked for, where agents may not look: only a list of names would tell it. */
export const CANARY = 'canary-beside-it';

/** Names of which the first exists outside; no spelling turns their letters into others. */
export const THERE = 'mmm.txt';
export const NEVER = 'nnn.txt';

/** What lies in the folder and is closed: by name, by version control under its own and another name, by a setting, by accents. */
const CLOSED = [
  '.env',
  '.git/config',
  'store/config',
  'private/notes.txt',
  'keys/id_rsa',
  'geheim-\u00e9.txt',
];

/** Speaks of the file that the person has in front of them, which is closed. */
const PROMPT = '$TM_SELECTED_TEXT$TM_CURRENT_LINE$TM_FILENAME$'.concat('{1:path}');

const LINKS: Record<string, string> = {
  'l-up': '..',
  'l-root': '/',
  'l-proc': '/proc/self/root',
  'l-dir': '../outside',
  'l-chain': 'l-dir',
  'l-loop': 'l-loop',
  'l-env': '.env',
  'l-git': '.git',
  'l-private': 'private',
  'src/l-deep': '../l-dir',
  [`l-${THERE}`]: `../outside/${THERE}`,
  [`l-${NEVER}`]: `../outside/${NEVER}`,
  [`l2-${THERE}`]: `l-dir/${THERE}`,
  [`l2-${NEVER}`]: `l-dir/${NEVER}`,
};

/** A window over a folder with secrets, and with links to what lies around it. */
export async function setStage(machine: Machine): Promise<TestWindow> {
  plant(join(machine.root, 'outside'), { [THERE]: SECRET, [CANARY]: SECRET, 'sub/x': SECRET });
  plant(join(machine.root, 'ws2'), { [THERE]: SECRET, [CANARY]: SECRET });
  const closed = Object.fromEntries(CLOSED.map((path) => [path, `${SECRET}\n`]));
  const open = {
    'a.txt': 'open\n',
    'src/b.ts': 'open\n',
    'src/deep/c.ts': 'open\n',
    '.vscode/a.code-snippets': JSON.stringify({ Look: { body: PROMPT } }),
  };
  const canaries = { [`private/${CANARY}`]: SECRET, [`.git/${CANARY}`]: SECRET, [`store/${CANARY}`]: SECRET };
  const store = { 'store/HEAD': '', 'store/objects/x': '', 'store/refs/x': '' };
  const user = { 'workspaceMcp.access.deniedPaths': ['private', 'geheim-*'] };
  const window = await machine.open({ trees: { ws: { ...closed, ...open, ...canaries, ...store } }, user });
  for (const [name, target] of Object.entries(LINKS)) symlinkSync(target, window.path(name));
  window.consent.otherwise = () => ({ allow: 'once' }); // the person agrees to everything that they are asked
  window.fake.languageServer = () => [];
  const closedText = window.fake.person.loads(window.path('private/notes.txt'));
  window.fake.activeTextEditor = {
    document: closedText,
    selections: [],
    selection: new Selection(0, 0, 0, 5),
  };
  window.fake.person.reports(window.path('private/notes.txt'), [problem(`it says ${SECRET}`)]);
  window.fake.person.reports(join(machine.root, 'outside', THERE), [problem(`it says ${SECRET}`)]);
  return window;
}

const problem = (message: string) => new FakeDiagnostic(new Range(0, 0, 0, 1), message) as never;

/** Every spelling of a target, by kind. */
export const spelled = (target: Target): [kind: string, path: string][] =>
  Object.entries(SPELLINGS).flatMap(([kind, all]) =>
    all.map((spell): [string, string] => [kind, spell(target)]),
  );

export const closedInside = (window: TestWindow): Target[] =>
  [...CLOSED, 'l-env', 'l-git/config', 'l-private/notes.txt'].map((relative) => ({
    relative,
    absolute: window.path(relative),
  }));

/** What lies outside under this name, by the ways that lead there. */
export const outside = (window: TestWindow, name: string): Target[] =>
  [
    `../outside/${name}`,
    `../ws2/${name}`,
    `l-dir/${name}`,
    `l-chain/${name}`,
    `src/l-deep/${name}`,
    `l-up/outside/${name}`,
    `l-${name}`,
    `l2-${name}`,
  ].map((relative) => ({ relative, absolute: `${window.path()}/${relative}` }));

/** All files of the machine with their contents, but for what the extension keeps; links by what they name. */
export const contents = ({ root }: { root: string }): string =>
  ['ws', 'ws2', 'outside'].flatMap((folder) => filesIn(join(root, folder))).join('\n');

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return `${path} ${entry.isFile() ? readFileSync(path, 'utf8') : readlinkSync(path)}`;
  });
