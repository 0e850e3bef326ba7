import assert from 'node:assert/strict';
import { chooseWindow, type WindowQuery } from '../../../src/shim/chooseWindow.ts';
import type { WindowRecord } from '../../../src/socket/windowRecord.ts';
import { record, windowOf } from './records.ts';

const query = (cwd: string, more: Partial<WindowQuery> = {}): WindowQuery => ({
  cwd,
  platform: 'linux',
  realpath: (path) => path,
  ...more,
});

/** Ids, tier by tier, as in "a b, c"; the reason where there is none. */
function choose(records: WindowRecord[], asked: WindowQuery): string {
  const choice = chooseWindow(records, asked);
  if (choice.kind === 'none') return choice.reason;
  return choice.tiers.map((tier) => tier.map(({ id }) => id).join(' ')).join(', ');
}

describe('shim/chooseWindow', () => {
  const other = windowOf('other', ['/other']);

  it('takes the window whose folder holds the working directory', () => {
    assert.equal(choose([other, windowOf('a', ['/ws'])], query('/ws/sub')), 'a');
  });

  it('looks at every folder of a window', () => {
    assert.equal(choose([other, windowOf('a', ['/x', '/ws'])], query('/ws')), 'a');
  });

  it('ranks deeper folders first, over all windows and folders', () => {
    const records = [
      windowOf('root', ['/']),
      windowOf('outer', ['/ws']),
      windowOf('inner', ['/x', '/ws/sub']),
    ];
    assert.equal(choose(records, query('/ws/sub/deep')), 'inner, outer, root');
  });

  it('does not take /ws for /ws2, nor the other way round', () => {
    const records = [windowOf('one', ['/ws']), windowOf('two', ['/ws2'])];
    assert.equal(choose(records, query('/ws2')), 'two');
    assert.equal(choose(records, query('/ws')), 'one');
  });

  it('puts the window that had the focus last first among equals', () => {
    const records = [windowOf('old', ['/ws'], { focusedAt: 1 }), windowOf('new', ['/ws'], { focusedAt: 2 })];
    assert.equal(choose(records, query('/ws')), 'new old');
  });

  it('takes a window with a folder below the working directory when none holds it', () => {
    const below = windowOf('below', ['/home/me/ws']);
    assert.equal(choose([other, below], query('/home/me')), 'below');
    assert.equal(choose([below, windowOf('home', ['/home/me'])], query('/home/me')), 'home, below');
  });

  it('does not choose among several projects below the working directory', () => {
    const records = [other, windowOf('a', ['/ws/a']), windowOf('b', ['/ws/b'], { focusedAt: 1 })];
    const reason =
      'Several VS Code windows have a folder below /ws: start the agent in the one that is meant.';
    assert.equal(choose(records, query('/ws')), reason);
    assert.equal(choose(records, query('/ws', { isSystemDirectory: true })), 'b a');
    const again = windowOf('a-2', ['/ws/a'], { focusedAt: 2 });
    assert.equal(choose([other, windowOf('a', ['/ws/a']), again], query('/ws')), 'a-2 a');
  });

  it('takes a window without a folder only when no other is open', () => {
    const empty = record({ id: 'empty' });
    assert.equal(choose([empty], query('/ws')), 'empty');
    assert.equal(choose([empty, other], query('/ws')), 'No open VS Code window has a folder that holds /ws.');
    assert.equal(choose([], query('/ws')), 'No open VS Code window has a folder that holds /ws.');
  });

  it('never hands the only window of another project to an agent in its own directory', () => {
    assert.equal(choose([other], query('/ws')), 'No open VS Code window has a folder that holds /ws.');
    assert.equal(choose([other], query('/ws', { isSystemDirectory: true })), 'other');
  });

  it('matches by what links lead to, on both sides', () => {
    const records = [other, windowOf('a', ['/real/ws'])];
    const realpath = (path: string): string => path.replace(/^\/link/, '/real');
    assert.equal(choose(records, query('/link/ws/sub', { realpath })), 'a');
    assert.equal(choose([other, windowOf('a', ['/link/ws'])], query('/real/ws', { realpath })), 'a');
  });

  it('ignores folders that are on no disk of this machine', () => {
    const virtual = record({
      id: 'virtual',
      workspaceFolders: [{ uri: 'vscode-vfs://github/ws', name: 'ws' }],
    });
    assert.match(choose([virtual, other], query('/ws')), /^No open/);
  });

  it('compares Windows paths by drive, without case', () => {
    const uri = 'file:///c%3A/Users/Me/ws';
    const records = [other, record({ id: 'a', workspaceFolders: [{ uri, name: 'ws' }] })];
    assert.equal(choose(records, query('C:\\users\\me\\WS\\sub', { platform: 'win32' })), 'a');
  });

  describe('with an id', () => {
    const records = [windowOf('a', ['/ws']), windowOf('b', ['/other'])];

    it('takes the window that --window names, and no other', () => {
      assert.equal(choose(records, query('/ws', { windowId: 'b', terminalWindowId: 'a' })), 'b');
    });

    it('says so when that window is gone', () => {
      const reason = 'No open VS Code window has the id "gone" that --window names.';
      assert.equal(choose(records, query('/ws', { windowId: 'gone' })), reason);
    });

    it('prefers the window of the terminal, and keeps the folder match behind it', () => {
      assert.equal(choose(records, query('/ws', { terminalWindowId: 'b' })), 'b, a');
    });

    it('goes by the folder when the window of the terminal is gone', () => {
      assert.equal(choose(records, query('/ws', { terminalWindowId: 'gone' })), 'a');
    });
  });
});
