import assert from 'node:assert/strict';
import { isSystemDirectory, isWithin, pathOfFileUri, pathParts } from '../../../src/shim/paths.ts';

describe('shim/paths', () => {
  describe('isWithin', () => {
    const cases: [path: string, folder: string, platform: NodeJS.Platform, expected: boolean][] = [
      ['/ws', '/ws', 'linux', true],
      ['/ws', '/ws/', 'linux', true],
      ['/ws/', '/ws', 'linux', true],
      ['/ws/sub', '/ws', 'linux', true],
      ['/ws2', '/ws', 'linux', false],
      ['/ws', '/ws/sub', 'linux', false],
      ['/anything', '/', 'linux', true],
      ['/WS', '/ws', 'linux', false],
      ['/a\\b', '/a', 'linux', false],
      ['/WS/sub', '/ws', 'darwin', true],
      ['/caf\u00e9', '/cafe\u0301', 'darwin', true],
      ['/caf\u00e9', '/cafe\u0301', 'linux', false],
      ['C:\\Ws\\sub', 'c:/ws', 'win32', true],
      ['C:\\ws2', 'c:/ws', 'win32', false],
      ['D:\\ws', 'c:/ws', 'win32', false],
      ['\\\\server\\share\\x', '//SERVER/share', 'win32', true],
      ['\\server\\share\\x', '//server/share', 'win32', false],
      ['C:\\server\\share', '//server/share', 'win32', false],
    ];
    for (const [path, folder, platform, expected] of cases) {
      it(`${path} ${expected ? 'is' : 'is not'} within ${folder} on ${platform}`, () => {
        assert.equal(isWithin(path, folder, platform), expected);
      });
    }
  });

  it('counts the parts of a path, none for the root', () => {
    assert.deepEqual(pathParts('/', 'linux'), []);
    assert.deepEqual(pathParts('/a//b/', 'linux'), ['a', 'b']);
    assert.deepEqual(pathParts('C:\\A\\b', 'win32'), ['c:', 'a', 'b']);
  });

  describe('pathOfFileUri', () => {
    const cases: [uri: string, platform: NodeJS.Platform, expected: string | undefined][] = [
      ['file:///ws/a%20b', 'linux', '/ws/a b'],
      ['file:///ws/%C3%A9%23%3F', 'linux', '/ws/é#?'],
      ['file:///c%3A/x', 'win32', 'c:/x'],
      ['file:///C:/x', 'win32', 'C:/x'],
      ['file://server/share/x', 'win32', '//server/share/x'],
      ['file://server/share/x', 'linux', undefined],
      ['vscode-remote://ssh-remote%2Bhost/ws', 'linux', undefined],
      ['untitled:x', 'linux', undefined],
      ['file:///%E0%A4%A', 'linux', undefined],
      ['/no/uri', 'linux', undefined],
    ];
    for (const [uri, platform, expected] of cases) {
      it(`${uri} is ${expected} on ${platform}`, () => assert.equal(pathOfFileUri(uri, platform), expected));
    }
  });
});

describe('shim/paths: isSystemDirectory', () => {
  const env = { SystemRoot: 'C:\\Windows', LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' };
  const cases: [path: string, platform: NodeJS.Platform, expected: boolean][] = [
    ['C:\\WINDOWS\\system32', 'win32', true],
    ['C:\\Users\\me\\AppData\\Local\\Agent\\app-1', 'win32', true],
    ['C:\\Users\\me\\project', 'win32', false],
    ['/', 'darwin', true],
    ['/usr', 'linux', false],
  ];
  for (const [path, platform, expected] of cases) {
    it(`${path} on ${platform}: ${expected}`, () => {
      assert.equal(isSystemDirectory(path, platform, env), expected);
    });
  }
});
