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
const two = windowOf('two', ['/ws2']);
const below = windowOf('below', ['/home/me/ws']);
const workspaceFolders = [{ uri: 'file:///ws', name: '/ws' }];
const at = (uri: string) => record({ id: 'w', workspaceFolders: [{ uri, name: 'ws' }] });

type More = Partial<WindowQuery>;
const moved: More = { realpath: (path) => path.replace(/^\/link/, '/ws') };
const win32: More = { platform: 'win32' };
const terminal = (terminalWindowId: string): More => ({ terminalWindowId });
const before = (id: string, isSelected = false): More => ({ before: { id, workspaceFolders, isSelected } });

const CASES: [what: string, records: WindowRecord[], cwd: string, chosen: string, more?: More][] = [
  ['the folder that holds the working directory', [other, a], '/ws/sub', 'a'],
  ['the deepest folder first, over all windows', [home, a, inner], '/ws/sub/deep', 'inner, a, home'],
  ['not /ws for /ws2', [a, two], '/ws2', 'two'],
  ['two windows on one folder: both', [a, b, other], '/ws', 'a b'],
  ['of those the one of the terminal', [a, b, other], '/ws', 'a b*', terminal('b')],
  ['the directory before the terminal', [a, other], '/ws', 'a, other*', terminal('other')],
  ['else the terminal', [a, other], '/tmp', 'other*', terminal('other')],
  ['the terminal, or its successor on the same folders', [a, b, other], '/tmp', 'a* b', terminal('a')],
  ['no terminal whose window is gone', [a, other], '/tmp', '', terminal('gone')],
  ['else the roots of the client', [a, other], '/tmp', 'other', { roots: ['/other/x'] }],
  ['the first root first', [a, other], '/tmp', 'other, a', { roots: ['/other', '/ws'] }],
  ['the directory before the roots', [a, other], '/ws', 'a, other', { roots: ['/other'] }],
  ['the terminal before the roots', [a, other], '/t', 'other*, a', { ...terminal('other'), roots: ['/ws'] }],
  ['a folder below the working directory', [other, below], '/home/me', 'below'],
  ['one that holds it before one below', [below, windowOf('top', ['/home/me'])], '/home/me', 'top, below'],
  ['several below: all of them', [a, inner, other], '/', 'a inner other'],
  ['the only window', [other], '/tmp', 'other'],
  ['none of several', [other, a], '/tmp', ''],
  ['what --window names', [a, other], '/ws', 'other', { windowId: 'other', ...terminal('a') }],
  ['nothing else where that is unknown', [a], '/ws', '', { windowId: 'gone' }],
  ['what holds --workspace', [a, other], '/ws', 'other', { workspace: '/other/sub' }],
  ['nothing else where no window has it', [a], '/ws', '', { workspace: '/other', ...terminal('a') }],
  ['of two with it that of the terminal', [a, b], '/', 'a b*', { workspace: '/ws', ...terminal('b') }],
  ['the window that it had', [a, b], '/ws', 'a b*', before('b')],
  ['one with the same folders', [inner, b], '/ws/sub', 'b, inner', before('gone')],
  ['nothing but what the agent has selected', [a, other], '/ws', '', before('gone', true)],
  ['not the only one that is left', [other], '/ws', '', before('gone')],
  ['by what links lead to', [other, a], '/link/sub', 'a', moved],
  ['by what links lead to, for the folder', [other, windowOf('l', ['/link'])], '/ws/sub', 'l', moved],
  ['no folder on no disk', [at('vscode-vfs://github/ws'), other], '/ws', ''],
  ['drives without case', [other, at('file:///c%3A/Users/ws')], 'C:\\users\\WS\\sub', 'w', win32],
  ['long paths of Windows', [other, at('file:///c%3A/ws')], '\\\\?\\C:\\ws\\sub', 'w', win32],
  ['shares', [other, at('file://server/share/ws')], '\\\\SERVER\\share\\ws', 'w', win32],
  ['long paths of shares', [other, at('file://server/share')], '\\\\?\\UNC\\server\\share\\a', 'w', win32],
  ['WSL by both its names', [other, at('file://wsl.localhost/U/home')], '\\\\wsl$\\U\\home\\x', 'w', win32],
  [
    'on macOS without case, accents in both spellings',
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
