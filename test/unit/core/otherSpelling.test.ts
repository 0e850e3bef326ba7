import assert from 'node:assert/strict';
import { otherSpelling } from '../../../src/core/otherSpelling.ts';

describe('core/otherSpelling', () => {
  const MEANT: [platform: 'linux' | 'win32', path: string, meant: string | undefined][] = [
    ['linux', 'src\\a.ts', 'src/a.ts'],
    ['linux', '.\\src\\a.ts', './src/a.ts'],
    ['linux', '\\\\wsl.localhost\\Ubuntu\\ws\\a.ts', '/ws/a.ts'],
    ['linux', '//wsl$/Ubuntu/ws/a.ts', '/ws/a.ts'],
    ['linux', '\\\\wsl$\\Ubuntu', '/'],
    ['linux', 'file://wsl%24/Ubuntu/ws/a%20b.ts', '/ws/a b.ts'],
    ['linux', 'file://wsl.localhost/Ubuntu/ws', '/ws'],
    ['linux', 'vscode-remote://wsl%2Bubuntu/ws/a.ts', '/ws/a.ts'],
    ['linux', 'C:\\Users\\me\\a.ts', '/mnt/c/Users/me/a.ts'],
    ['linux', 'file:///c%3A/Users/me/a.ts', '/mnt/c/Users/me/a.ts'],
    ['linux', ' "src/a.ts" ', 'src/a.ts'],
    ['linux', '`src\\a.ts`', 'src/a.ts'],
    ['linux', 'src/a.ts', undefined],
    ['linux', '/mnt/c/a.ts', undefined],
    ['linux', 'it\'s "so".ts', undefined],
    ['linux', 'file://server/share/a.ts', undefined],
    ['linux', '\\\\server\\share\\a.ts', undefined],
    ['win32', '/mnt/c/Users/me/a.ts', 'c:/Users/me/a.ts'],
    ['win32', '/c/Users/me/a.ts', 'c:/Users/me/a.ts'],
    ['win32', '/cygdrive/d/a.ts', 'd:/a.ts'],
    ['win32', "'src/a.ts'", 'src/a.ts'],
  ];
  for (const [platform, path, meant] of MEANT)
    it(`${meant ?? 'nothing else'} for ${path} on ${platform}`, () =>
      assert.equal(otherSpelling(path, platform), meant));
});
