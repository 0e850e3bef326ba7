import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startGroup } from '../../../src/util/processGroup.ts';
import { quotedForBatch, windowsStart } from '../../../src/util/windowsProgram.ts';
import { makeTemporary, removeTemporary } from '../../temporary.ts';

describe('util/windowsProgram: arguments of a batch file', () => {
  const quoted: [string, string][] = [
    ['', '""'],
    ['a & b', '"a & b"'],
    ['say "hi" & del x', '"say ""hi"" & del x"'],
    ['C:\\my files\\', '"C:\\my files\\\\"'],
    ['a\\"b', '"a\\\\""b"'],
    ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
  ];
  for (const [text, line] of quoted) it(line, () => assert.equal(quotedForBatch(text), line));

  it('cannot be several lines: cmd.exe would take the second for a command', () => {
    for (const line of ['a\nb', 'a\rb', 'a\0b']) assert.throws(() => quotedForBatch(line), /no line breaks/);
  });
});

describe('util/windowsProgram: on Windows', () => {
  let root: string;
  before(function () {
    if (process.platform !== 'win32') this.skip();
  });
  beforeEach(() => {
    root = makeTemporary();
    mkdirSync(join(root, 'my tools'));
  });
  afterEach(() => root && removeTemporary(root));

  const env = (more: NodeJS.ProcessEnv = {}) => ({
    SystemRoot: process.env.SystemRoot,
    Path: ['.', join(root, 'my tools'), dirname(process.execPath)].join(';'),
    ...more,
  });
  const put = (name: string, content = '') => writeFileSync(join(root, name), content);
  const found = (command: string) => windowsStart(command, [], { cwd: root, env: env() }).file;

  it('finds a program by its name on the PATH only, not in the working directory', () => {
    put('npx.cmd');
    assert.throws(() => found('npx'), { code: 'ENOENT' });
    put('my tools\\npx'); // for other systems
    put('my tools\\npx.cmd');
    const { args, windowsVerbatimArguments } = windowsStart('npx', ['-y', 'a b'], { cwd: root, env: env() });
    assert.equal(args.at(-1), `""${join(root, 'my tools', 'npx.cmd')}" "-y" "a b""`);
    assert.ok(windowsVerbatimArguments);
    assert.equal(found('node'), process.execPath);
    put('own.exe');
    assert.equal(found('.\\own'), join(root, 'own.exe'));
  });

  it('runs batch files, which get every argument as it is', async () => {
    put('echo.js', 'console.log(JSON.stringify(process.argv.slice(2)))');
    put('my tools\\run.cmd', '@echo off\r\nnode "%~dp0..\\echo.js" %*\r\n');
    const args = [
      '',
      'a b',
      'a & b',
      'a|b',
      '^',
      '"',
      'say "hi" & echo x',
      '!x!',
      '(x)',
      '<a>',
      'back\\',
      '*.js',
    ];
    const child = startGroup({ command: 'run', args, cwd: root, env: env() });
    assert.deepEqual(JSON.parse(await text(child.stdout)), args);
  });

  it('runs batch files, which get percent signs as they are', async () => {
    put('echo.js', 'console.log(JSON.stringify(process.argv.slice(2)))');
    put('my tools\\run.cmd', '@echo off\r\nnode "%~dp0..\\echo.js" %*\r\n');
    const args = ['100%', '%PATH%'];
    const child = startGroup({ command: 'run', args, cwd: root, env: env() });
    assert.deepEqual(JSON.parse(await text(child.stdout)), args);
  });
});
