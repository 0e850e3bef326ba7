import assert from 'node:assert/strict';
import { type Listener, shellFor, startCommand } from '../../../../src/services/run/commandProcess.ts';

describe('services/run/commandProcess', () => {
  const bash = 'C:\\Program Files\\Git\\bin\\bash.exe';
  const powershell = /\\System32\\WindowsPowerShell\\v1\.0\\powershell\.exe$/;

  it('runs a line in the shell that the user has, if that reads what agents write', () => {
    const on = (platform: NodeJS.Platform) => (shell: string) => shellFor(shell, platform);
    const files = ['/bin/zsh', '/usr/bin/fish', ''].map(on('linux')).map(({ file }) => file);
    assert.deepEqual(files, ['/bin/zsh', '/bin/sh', '/bin/sh']);
    assert.deepEqual([on('win32')(bash).file, on('win32')(bash).args('a b')], [bash, ['-c', 'a b']]);
    for (const other of ['', 'C:\\Windows\\System32\\wsl.exe', 'C:\\nu.exe'])
      assert.match(on('win32')(other).file, powershell);
  });

  it('gets from PowerShell the exit code of the last program', () => {
    const { args } = shellFor('C:\\Program Files\\PowerShell\\7\\pwsh.exe', 'win32');
    assert.deepEqual(args('npm test').slice(0, 2), ['-NoProfile', '-Command']);
    assert.match(args('npm test')[2] ?? '', /^npm test\nif .*exit \$LASTEXITCODE/);
  });

  it('leaves the quotes of a line to cmd.exe, which takes one line only', () => {
    const { args, isVerbatim } = shellFor('C:\\Windows\\System32\\cmd.exe', 'win32');
    assert.deepEqual([args('echo "a b"'), isVerbatim], [['/d', '/s', '/c', '"echo "a b""'], true]);
    assert.throws(() => args('a\nb'), /takes one line\. Join/);
  });

  it('on Windows runs lines of cmd.exe, with quotes, operators and exit codes', async function () {
    if (process.platform !== 'win32') this.skip();
    const ran = (line: string) =>
      new Promise<[string, Parameters<Listener['onEnd']>[0]]>((resolve) => {
        let printed = '';
        const command = { line, cwd: process.cwd(), env: process.env, columns: 80, rows: 24 };
        startCommand(command, process.env.ComSpec ?? 'cmd.exe', '/no/pty', {
          onData: (text) => {
            printed += text;
          },
          onEnd: (end) => resolve([printed, end]),
        });
      });
    const print = `"${process.execPath}" -p "process.argv.slice(1).join('|')"`;
    assert.deepEqual(await ran(`${print} "a & b" "c | d" e^&f "100%"`), [
      'a & b|c | d|e&f|100%\n',
      { exitCode: 0 },
    ]);
    assert.deepEqual(await ran('echo done&& exit 3'), ['done\r\n', { exitCode: 3 }]);
  });
});
