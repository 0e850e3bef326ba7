import assert from 'node:assert/strict';
import type { WindowRecord } from '../../../../src/ipc/windowRecord.ts';
import { chooseWindow, favourites } from '../../../../src/shim/window/chooseWindow.ts';
import type { WindowQuery } from '../../../../src/shim/window/windowQuery.ts';
import { record, windowOf } from '../records.ts';

/** Ids, tier by tier, as in "a b, c"; the favourite of a tier has a star. */
function choose(records: WindowRecord[], cwd: string, more: Partial<WindowQuery> = {}): string {
  const query: WindowQuery = { cwd, platform: 'linux', realpath: (path) => path, ...more };
  const [favourite] = favourites(query);
  const tiers = chooseWindow(records, query).map(({ windows }) =>
    windows.map(({ id }) => (id === favourite ? `${id}*` : id)).join(' '),
  );
  return [...new Set(tiers)].join(', ');
}

const [a, b, other] = [windowOf('a', ['/ws']), windowOf('b', ['/ws']), windowOf('other', ['/other'])];
const home = windowOf('home', ['/']);
const inner = windowOf('inner', ['/x', '/ws/sub']);
const empty = record({ id: 'empty' });
const folders = (...names: string[]) => names.map((name) => ({ uri: `file://${name}`, name }));
const moved: Partial<WindowQuery> = { realpath: (path) => path.replace(/^\/link/, '/ws') };
const windows = (uri: string) => record({ id: 'w', workspaceFolders: [{ uri, name: 'ws' }] });
const win32: Partial<WindowQuery> = { platform: 'win32' };

const CASES: [
  what: string,
  records: WindowRecord[],
  cwd: string,
  chosen: string,
  more?: Partial<WindowQuery>,
][] = [
  ['the folder that holds the working directory', [other, a], '/ws/sub', 'a'],
  ['the folder that is the working directory', [other, a], '/ws', 'a'],
  ['any folder of a window', [other, inner], '/x', 'inner'],
  ['the deepest folder first, over all windows', [home, a, inner], '/ws/sub/deep', 'inner, a, home'],
  ['not /ws for /ws2', [a, windowOf('two', ['/ws2'])], '/ws2', 'two'],
  ['not /ws2 for /ws', [a, windowOf('two', ['/ws2'])], '/ws', 'a'],
  ['two windows on one folder: both', [a, b, other], '/ws', 'a b'],
  ['of those the one of the terminal', [a, b, other], '/ws', 'a b*', { terminalWindowId: 'b' }],
  [
    'the working directory before the terminal',
    [a, other],
    '/ws',
    'a, other*',
    { terminalWindowId: 'other' },
  ],
  [
    'the terminal where no window has the directory',
    [a, other],
    '/tmp',
    'other*',
    { terminalWindowId: 'other' },
  ],
  [
    'the terminal, or what has the same folders: its successor',
    [a, b, other],
    '/tmp',
    'a* b',
    { terminalWindowId: 'a' },
  ],
  ['no terminal whose window is gone', [a, other], '/tmp', '', { terminalWindowId: 'gone' }],
  [
    'the roots of the client, where no window has the directory',
    [a, other],
    '/tmp',
    'other',
    { roots: ['/other/x'] },
  ],
  ['the first root first', [a, other], '/tmp', 'other, a', { roots: ['/other', '/ws'] }],
  ['the working directory before the roots', [a, other], '/ws', 'a, other', { roots: ['/other'] }],
  [
    'the terminal before the roots',
    [a, other],
    '/tmp',
    'other*, a',
    { terminalWindowId: 'other', roots: ['/ws'] },
  ],
  ['a folder below the working directory', [other, windowOf('below', ['/home/me/ws'])], '/home/me', 'below'],
  [
    'one that holds it before one below',
    [windowOf('below', ['/home/me/ws']), windowOf('top', ['/home/me'])],
    '/home/me',
    'top, below',
  ],
  ['several below: all of them', [a, inner, other], '/', 'a inner other'],
  ['the only window', [other], '/tmp', 'other'],
  ['the only window, without a folder', [empty], '/tmp', 'empty'],
  ['none of several', [other, a], '/tmp', ''],
  ['none of none', [], '/tmp', ''],
  ['what --window names', [a, other], '/ws', 'other', { windowId: 'other', terminalWindowId: 'a' }],
  ['nothing else where that is unknown', [a], '/ws', '', { windowId: 'gone' }],
  ['what holds --workspace', [a, other], '/ws', 'other', { workspace: '/other/sub' }],
  ['nothing else where no window has it', [a], '/ws', '', { workspace: '/other', terminalWindowId: 'a' }],
  [
    'of two with it the one of the terminal',
    [a, b],
    '/',
    'a b*',
    { workspace: '/ws', terminalWindowId: 'b' },
  ],
  [
    'the window that it had',
    [a, b],
    '/ws',
    'a b*',
    { before: { id: 'b', workspaceFolders: folders('/ws') } },
  ],
  [
    'one with the same folders',
    [inner, b],
    '/ws/sub',
    'b, inner',
    { before: { id: 'gone', workspaceFolders: folders('/ws') } },
  ],
  [
    'nothing but what the agent has selected',
    [a, other],
    '/ws',
    '',
    { before: { id: 'gone', workspaceFolders: folders('/ws'), isSelected: true } },
  ],
  [
    'not the only one that is left',
    [other],
    '/ws',
    '',
    { before: { id: 'gone', workspaceFolders: folders('/ws') } },
  ],
  ['by what links lead to', [other, a], '/link/sub', 'a', moved],
  ['by what links lead to, for the folder', [other, windowOf('l', ['/link'])], '/ws/sub', 'l', moved],
  [
    'no folder on no disk',
    [record({ id: 'v', workspaceFolders: [{ uri: 'vscode-vfs://github/ws', name: '' }] }), other],
    '/ws',
    '',
  ],
  [
    'Windows: drives without case',
    [other, windows('file:///c%3A/Users/Me/ws')],
    'C:\\users\\me\\WS\\sub',
    'w',
    win32,
  ],
  [
    'Windows: the prefix of long paths',
    [other, windows('file:///c%3A/ws')],
    '\\\\?\\C:\\ws\\sub',
    'w',
    win32,
  ],
  ['Windows: shares', [other, windows('file://server/share/ws')], '\\\\SERVER\\share\\ws', 'w', win32],
  [
    'Windows: shares, by the prefix of long paths',
    [other, windows('file://server/share')],
    '\\\\?\\UNC\\server\\share\\a',
    'w',
    win32,
  ],
  [
    'Windows: WSL by both its names',
    [other, windows('file://wsl.localhost/Ubuntu/home')],
    '\\\\wsl$\\Ubuntu\\home\\x',
    'w',
    win32,
  ],
  [
    'macOS: without case, accents in both spellings',
    [other, windowOf('m', ['/Users/me/gru\u0308n'])],
    '/users/ME/gr\u00fcn/x',
    'm',
    { platform: 'darwin' },
  ],
];

describe('shim/window/chooseWindow takes', () => {
  for (const [what, records, cwd, chosen, more] of CASES)
    it(what, () => assert.equal(choose(records, cwd, more), chosen));
});
