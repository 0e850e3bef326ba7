import assert from 'node:assert/strict';
import { depthOf, pathOfFileUri } from '../../../../src/shim/window/windowQuery.ts';

describe('shim/window/windowQuery', () => {
  it('counts the names that lead to a folder, none for the root', () => {
    assert.equal(depthOf('/', 'linux'), 0);
    assert.equal(depthOf('/a//b/', 'linux'), 2);
    assert.equal(depthOf('C:\\A\\b', 'win32'), 3);
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
    for (const [uri, platform, expected] of cases)
      it(`${uri} is ${expected} on ${platform}`, () => assert.equal(pathOfFileUri(uri, platform), expected));
  });
});
