import assert from 'node:assert/strict';
import {
  hasAlternateName,
  impossibleName,
  inside,
  isWithin,
  respelled,
  userDataOf,
} from '../../../src/core/paths.ts';

describe('core/paths', () => {
  const within: [NodeJS.Platform, string, string, string | undefined][] = [
    ['linux', '/ws/a/b', '/ws', 'a/b'],
    ['linux', '/ws', '/ws', ''],
    ['linux', '/ws/a', '/ws//', 'a'],
    ['linux', '/ws2', '/ws', undefined],
    ['linux', '/', '/ws', undefined],
    ['linux', '/WS/a', '/ws', undefined],
    ['linux', '/a', '/', 'a'],
    ['linux', '/ws\\a', '/ws', undefined],
    ['linux', '/caf\u00e9', '/cafe\u0301', undefined],
    ['darwin', '/WS/A', '/ws', 'a'],
    ['darwin', '/gru\u0308n/a', '/gr\u00fcn', 'a'],
    ['win32', 'C:\\WS\\a', 'c:/ws', 'a'],
    ['win32', 'd:\\ws\\a', 'c:\\ws', undefined],
    ['win32', 'c:\\a', 'C:\\', 'a'],
    ['win32', '\\\\server\\share\\a', '\\\\SERVER\\share', 'a'],
    ['win32', '\\server\\share\\x', '//server/share', undefined],
    ['win32', 'C:\\server\\share', '//server/share', undefined],
  ];
  for (const [platform, path, folder, expected] of within)
    it(`${platform}: ${path} in ${folder}`, () => {
      assert.equal(inside(path, folder, platform), expected);
      assert.equal(isWithin(path, folder, platform), expected !== undefined);
    });

  const spelled: [NodeJS.Platform, path: string, folder: string, name: string, expected: string][] = [
    ['linux', '/data/ws/a/b', '/data/ws', '/link', '/link/a/b'],
    ['linux', '/data/ws', '/data/ws', '/link', '/link'],
    ['linux', '/data/a', '/data', '/', '/a'],
    ['linux', '/a\\b', '/', '/', '/a\\b'],
    ['darwin', '/Users/you/Gru\u0308n/A', '/users/me/gr\u00fcn', '/Users/me/ws', '/Users/me/ws/A'],
    ['win32', 'C:\\Users\\Me\\A.ts', 'c:\\users\\me', 'c:\\users\\me', 'c:\\users\\me\\A.ts'],
    ['win32', 'C:/ws/a', 'C:\\', 'c:\\', 'c:\\ws\\a'],
    ['win32', '\\\\Server\\x\\a', '\\\\server\\X', '\\\\server\\x', '\\\\server\\x\\a'],
  ];
  for (const [platform, path, folder, name, expected] of spelled)
    it(`${platform}: ${path} is ${expected} where ${folder} is ${name}`, () =>
      assert.equal(respelled(path, folder, name, platform), expected));

  const alternate: [NodeJS.Platform, string, boolean][] = [
    ['win32', 'C:\\ws\\a.txt', false],
    ['win32', '\\\\?\\C:\\ws\\a.txt', false],
    ['win32', 'c:\\ws\\a.txt:stream', true],
    ['win32', 'c:\\ws\\.env::$DATA', true],
    ['darwin', '/ws/a:b', false],
    ['darwin', '/ws/.env/..namedfork/rsrc', true],
  ];
  for (const [platform, path, expected] of alternate)
    it(`${platform}: ${path} ${expected ? 'is' : 'is no'} second name`, () =>
      assert.equal(hasAlternateName(path, platform), expected));
});

describe('core/paths: names of new files', () => {
  const names: [string, RegExp | undefined][] = [
    ['a.txt', undefined],
    ['.env.local', undefined],
    ['console.ts', undefined],
    ['a.', /dot or space/],
    ['a ', /dot or space/],
    ['a:b', /none of/],
    ['what?.md', /none of/],
    ['a\tb', /none of/],
    ['NUL', /device/],
    ['con.txt', /device/],
    ['lpt1 .c', /device/],
  ];
  for (const [name, reason] of names)
    it(`Windows ${reason ? 'has no' : 'has'} ${JSON.stringify(name)}`, () => {
      const found = impossibleName(name, 'win32');
      if (reason) assert.match(found ?? '', reason);
      else assert.equal(found, undefined);
      assert.equal(impossibleName(name, 'linux'), undefined);
    });
});

describe('core/paths: the user data directory', () => {
  for (const [globalStorage, data] of [
    ['/h/a/.vscode-server/data/User/globalStorage/a.b', '/h/a/.vscode-server/data'],
    ['/h/a/.config/Code/User/profiles/-6c/globalStorage/a.b', '/h/a/.config/Code'],
    ['C:\\Users\\a\\Code\\User\\globalStorage\\a.b', 'C:\\Users\\a\\Code'],
    ['/srv/User/x/User/globalStorage/a.b', '/srv/User/x'],
    ['/elsewhere/storage', '/elsewhere/storage'],
  ] as const) {
    it(globalStorage, () => assert.equal(userDataOf(globalStorage), data));
  }
});
