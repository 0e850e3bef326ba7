import assert from 'node:assert/strict';
import { readArguments } from '../../../src/shim/commandLine.ts';

describe('shim/commandLine', () => {
  it('serves without arguments, or with a window or a workspace, in both spellings', () => {
    assert.deepEqual(readArguments([]), { kind: 'serve' });
    for (const args of [['--window', 'a-1'], ['--window=a-1']])
      assert.deepEqual(readArguments(args), { kind: 'serve', windowId: 'a-1' });
    for (const args of [['--workspace', '/a b'], ['--workspace=/a b']])
      assert.deepEqual(readArguments(args), { kind: 'serve', workspace: '/a b' });
  });

  it('examines with --doctor, before or after the window option, and knows --help and --version', () => {
    assert.deepEqual(readArguments(['--doctor']), { kind: 'doctor' });
    assert.deepEqual(readArguments(['--window=a', '--doctor']), { kind: 'doctor', windowId: 'a' });
    assert.deepEqual(readArguments(['--doctor', '--workspace', '.']), { kind: 'doctor', workspace: '.' });
    assert.deepEqual(readArguments(['--doctor', '--help']), { kind: 'help' });
    assert.equal(readArguments(['--workspace', '--doctor']).kind, 'wrong');
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
    it(`refuses ${args.join(' ')}`, () =>
      assert.deepEqual(readArguments([...args]), { kind: 'wrong', problem }));
  }
});
