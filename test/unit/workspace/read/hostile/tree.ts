/** A folder with secrets, and with links to what lies around it; on the wire agents try it as well. */
import { symlinkSync } from 'node:fs';
import { join, sep } from 'node:path';
import { canLink } from '../../../../temporary.ts';
import { write } from '../../openWindow.ts';
import { SPELLINGS, type Target } from './spellings.ts';

/** Is in every file that is closed, and in no other. */
export const SECRET = 'top-secret-contents';

/** A name that lies beside what is asked for, where agents may not look: only a list of names would tell it. */
export const CANARY = 'canary-beside-it';

/** Names of which the first exists outside; no spelling turns their letters into others. */
export const THERE = 'mmm.txt';
export const NEVER = 'nnn.txt';

/** Settings of the user that close some of it. */
export const USER = { 'workspaceMcp.access.deniedPaths': ['private', 'geheim-*'] };

export const OPEN = ['a.txt', 'src/b.ts', 'src/deep/c.ts'];

/** What lies in the folder and is closed: by name, by version control under its own and another name, by a setting, by accents. */
const CLOSED = ['.env', '.git/config', 'store/config', 'private/notes.txt', 'geheim-\u00e9.txt'];

const CLOSED_TOO = [`private/${CANARY}`, `.git/${CANARY}`, `store/${CANARY}`];

const OUTSIDE = [THERE, CANARY, 'sub/x'];

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

/** Makes the folder `ws` with the folders beside it. */
export function plantHostile(root: string): void {
  for (const name of OUTSIDE)
    for (const folder of ['outside', 'ws2']) write(join(root, folder, name), SECRET);
  for (const path of [...CLOSED, ...CLOSED_TOO]) write(join(root, 'ws', path), `${SECRET}\n`);
  for (const path of OPEN) write(join(root, 'ws', path), 'open\n');
  for (const path of ['store/HEAD', 'store/objects/x', 'store/refs/x']) write(join(root, 'ws', path));
  if (canLink())
    for (const [name, target] of Object.entries(LINKS)) symlinkSync(target, join(root, 'ws', name));
}

/** Without links those that are none. */
const targets = (ws: string, paths: readonly string[]): Target[] =>
  paths
    .filter((relative) => canLink() || !/^l\d?-/.test(relative))
    .map((relative) => ({ relative, absolute: `${ws.replaceAll(sep, '/')}/${relative}` }));

export const closedInside = (ws: string): Target[] => targets(ws, [...CLOSED, 'l-env', 'l-git/config']);

/** What lies outside under this name, by the ways that lead there. */
export const outside = (ws: string, name: string): Target[] =>
  targets(ws, [`../outside/${name}`, `../ws2/${name}`, `l-dir/${name}`, `l-${name}`, `l2-${name}`]);

/** Every spelling of the targets. */
export const spelled = (all: readonly Target[]): string[] =>
  all.flatMap((target) => SPELLINGS.flat().map((spell) => spell(target)));

/** Some spellings of each kind, other ones for each number. @param count of a kind */
export const sampled = (all: readonly Target[], number: number, count: number): string[] =>
  SPELLINGS.flatMap((kind, index) =>
    Array.from({ length: count }, (_, nth) => {
      const at = number * count + nth;
      const target = all[(at + index) % all.length];
      return target ? (kind[at % kind.length]?.(target) ?? '') : '';
    }),
  );

/** What was said, without the names by which the two were asked for, in any case and escaped, also twice. */
export const nameless = (said: string): string =>
  said
    .replaceAll(new RegExp(`${stem(THERE)}|${stem(NEVER)}`, 'gi'), 'NAME')
    .replaceAll(/%(25)?(6d|6e|4d|4e)/gi, '%__');

const stem = (name: string): string => name.replace('.txt', '');
