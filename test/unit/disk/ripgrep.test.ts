import assert from 'node:assert/strict';
import { CancelledError } from '../../../src/core/errors.ts';
import { runRipgrep } from '../../../src/disk/ripgrep.ts';
import { cleanUp, folderWith } from '../workspace/openWindow.ts';

/** A program that writes lines for ever. */
const endless = ['-e', 'setInterval(() => process.stdout.write("line\\n".repeat(1000)))'];
const run = (more: object, args: readonly string[] = endless) =>
  runRipgrep({
    executable: process.execPath,
    args,
    cwd: folderWith(),
    separator: '\n',
    signal: new AbortController().signal,
    onPiece: () => {},
    ...more,
  });

describe('disk/ripgrep', () => {
  afterEach(cleanUp);

  const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

  it('waits before more is read, and stops where no more is wanted', async () => {
    let [pieces, calls, inside] = [0, 0, 0];
    const onPiece = () => {
      assert.equal(inside, 0);
      pieces++;
    };
    const beforeMore = async () => {
      inside++;
      await pause();
      inside--;
      return ++calls < 3;
    };
    await run({ onPiece, beforeMore });
    assert.equal(calls, 3);
    assert.ok(pieces >= 1000);
  });

  it('reads all of what has ended meanwhile', async () => {
    let pieces = 0;
    const args = ['-e', 'process.stdout.write("line\\n".repeat(40_000))'];
    await run({ onPiece: () => pieces++, beforeMore: () => pause().then(() => true) }, args);
    assert.equal(pieces, 40_000);
  });

  it('ends with what goes wrong meanwhile, where it is cancelled, and where there is no such program, or its arguments are too long', async () => {
    await assert.rejects(run({ beforeMore: () => Promise.reject(new Error('meanwhile')) }), /meanwhile/);
    const cancelled = new AbortController();
    const beforeMore = async () => {
      cancelled.abort();
      return true;
    };
    await assert.rejects(run({ signal: cancelled.signal, beforeMore }), CancelledError);
    await assert.rejects(run({ executable: '/nowhere/rg' }), /ENOENT/);
    await assert.rejects(run({}, ['x'.repeat(3_000_000)]), /query and globs are too long/); // for a command line
  });
});
