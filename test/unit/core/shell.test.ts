import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { commandLine, type Shell, shellOf } from '../../../src/core/shell.ts';

describe('core/shell', () => {
  const shells: [string, NodeJS.Platform, Shell][] = [
    ['/bin/bash', 'linux', 'posix'],
    ['', 'darwin', 'posix'],
    ['C:\\Program Files\\Git\\bin\\bash.exe', 'win32', 'posix'],
    ['C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe', 'win32', 'powershell'],
    ['/usr/bin/pwsh', 'linux', 'powershell'],
    ['C:\\Windows\\System32\\CMD.EXE', 'win32', 'cmd'],
    ['', 'win32', 'powershell'],
  ];
  for (const [path, platform, shell] of shells)
    it(`${path || 'nothing'} on ${platform} is ${shell}`, () => assert.equal(shellOf(path, platform), shell));

  const lines: [Shell, string[], string][] = [
    ['posix', ['a', '--', '/home/me/x.js', 'A=b'], 'a -- /home/me/x.js A=b'],
    ['posix', ["/it's $me/x"], `'/it'\\''s $me/x'`],
    ['posix', ['C:\\x', ''], "'C:\\x' ''"],
    ['powershell', ['a', '--', 'C:\\Users\\me\\x.js'], "a '--' C:\\Users\\me\\x.js"],
    ['powershell', ["C:\\It's $me\\x", '@a'], "'C:\\It''s $me\\x' '@a'"],
    ['cmd', ['a', '--', 'C:\\My Files\\x'], 'a -- "C:\\My Files\\x"'],
  ];
  for (const [shell, words, line] of lines)
    it(`${shell}: ${line}`, () => assert.equal(commandLine(words, shell), line));

  it('a POSIX shell reads back every word', function () {
    if (process.platform === 'win32') this.skip();
    const word = fc.string({
      unit: fc.constantFrom('a', ' ', "'", '"', '$', '`', '\\', '!', '*', '~', '\n', 'ü', '-'),
    });
    const all = fc.sample(fc.array(word, { minLength: 1, maxLength: 4 }), 100);
    const script = all.map((words) => `printf '%s\\0' ${commandLine(words, 'posix')}`);
    const read = execFileSync('sh', ['-c', script.join('\n')], { encoding: 'utf8' });
    assert.deepEqual(read.split('\0').slice(0, -1), all.flat());
  });
});
