import assert from 'node:assert/strict';
import { readArguments } from '../../../src/shim/commandLine.ts';

describe('shim/commandLine', () => {
  it('serves without arguments, or with the id of a window in both spellings', () => {
    assert.deepEqual(readArguments([]), { kind: 'serve' });
    assert.deepEqual(readArguments(['--window', 'a-1']), { kind: 'serve', windowId: 'a-1' });
    assert.deepEqual(readArguments(['--window=a-1']), { kind: 'serve', windowId: 'a-1' });
    assert.deepEqual(readArguments(['--workspace', '/a b']), { kind: 'serve', workspace: '/a b' });
    assert.deepEqual(readArguments(['--workspace=.']), { kind: 'serve', workspace: '.' });
  });

  it('examines with --doctor, before or after the window option', () => {
    assert.deepEqual(readArguments(['--doctor']), { kind: 'doctor' });
    for (const args of [
      ['--doctor', '--window', 'a'],
      ['--window', 'a', '--doctor'],
      ['--window=a', '--doctor'],
    ])
      assert.deepEqual(readArguments(args), { kind: 'doctor', windowId: 'a' });
    assert.deepEqual(readArguments(['--doctor', '--workspace', '.']), { kind: 'doctor', workspace: '.' });
    assert.deepEqual(readArguments(['--doctor', '--help']), { kind: 'help' });
    assert.equal(readArguments(['--workspace', '--doctor']).kind, 'wrong');
  });

  it('knows --help and --version', () => {
    assert.deepEqual(readArguments(['--help']), { kind: 'help' });
    assert.deepEqual(readArguments(['--version']), { kind: 'version' });
  });

  for (const [args, problem] of [
    [['--port'], 'Unknown argument "--port".'],
    [['--window', 'a', 'b'], 'Unknown argument "b".'],
    [['--workspace'], '--workspace needs a directory.'],
    [['--workspace='], '--workspace needs a directory.'],
    [['--window'], '--window needs the id of a window.'],
    [['--window', '../a'], '"../a" is not a window id: ids are made of a-z, 0-9 and "-".'],
    [['--window='], '"" is not a window id: ids are made of a-z, 0-9 and "-".'],
  ] as const) {
    it(`refuses ${args.join(' ')}`, () => {
      assert.deepEqual(readArguments([...args]), { kind: 'wrong', problem });
    });
  }
});
