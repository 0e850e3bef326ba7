import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  lookAtRecords,
  readRecord,
  readRecords,
  recordPath,
  removeRecord,
  windowsDirectory,
  writeRecord,
} from '../../../src/ipc/windowRecord.ts';
import { useDirectory } from '../../temporary.ts';
import { record } from '../shim/records.ts';

describe('ipc/windowRecord', () => {
  const home = useDirectory();

  it('reads what it has written, from a file of the user alone', function () {
    const written = record({ id: 'a', workspaceFolders: [{ uri: 'file:///é', name: 'é' }] });
    writeRecord(home.path, written);
    assert.deepEqual(readRecords(join(home.path, 'missing')), []);
    assert.deepEqual(readRecords(home.path), [written]);
    assert.deepEqual(readdirSync(windowsDirectory(home.path)), ['a.json']);
    if (process.platform === 'win32') this.skip();
    assert.equal(statSync(recordPath(home.path, 'a')).mode & 0o777, 0o600);
    assert.equal(statSync(windowsDirectory(home.path)).mode & 0o777, 0o700);
  });

  it('skips files that are not a record of that id', () => {
    writeRecord(home.path, record({ id: 'a' }));
    const others = {
      b: record({ id: 'a' }),
      c: { ...record({ id: 'c' }), version: 2 },
      d: { ...record({ id: 'd' }), token: '' },
      e: { ...record({ id: 'e' }), workspaceFolders: [null] },
      f: null,
      G: record({ id: 'G' }),
    };
    for (const [name, content] of Object.entries(others))
      writeFileSync(join(windowsDirectory(home.path), `${name}.json`), JSON.stringify(content));
    writeFileSync(join(windowsDirectory(home.path), 'h.json'), '{"version":');
    const { records, problems } = lookAtRecords(home.path);
    assert.deepEqual([records.length, records[0]?.id], [1, 'a']);
    const WHY = /(.)\.json (?:was written by a newer|is not the record)/;
    assert.equal(
      problems
        .map((problem) => WHY.exec(problem)?.[1])
        .sort()
        .join(''),
      'bcdefh',
    );
  });

  it('skips what is not a file, or cannot be read, and says so', () => {
    writeRecord(home.path, record({ id: 'a' }));
    mkdirSync(recordPath(home.path, 'b'));
    assert.equal(readRecord(home.path, 'b'), undefined);
    if (process.platform !== 'win32') execFileSync('mkfifo', [recordPath(home.path, 'c')]); // nobody ever writes to it
    for (const problem of lookAtRecords(home.path).problems)
      assert.match(problem, /[bc]\.json is not the record of a window\. Remove it/);
    assert.equal(lookAtRecords(home.path).records.length, 1);
  });

  it("skips another user's", function () {
    if (process.getuid?.() !== 0) this.skip(); // only root gives files away
    writeRecord(home.path, record({ id: 'a' }));
    chownSync(recordPath(home.path, 'a'), 12345, 12345);
    const { records, problems } = lookAtRecords(home.path);
    assert.deepEqual(records, []);
    assert.match(`${problems}`, /a\.json belongs to user 12345, not 0, and is not used/);
  });

  it("removes a window's own record only", () => {
    const mine = record({ id: 'a', token: '1'.repeat(64) });
    writeRecord(home.path, mine);
    removeRecord(home.path, 'a', '2'.repeat(64));
    assert.deepEqual(readRecord(home.path, 'a'), mine);
    removeRecord(home.path, 'a', mine.token);
    assert.equal(readRecord(home.path, 'a'), undefined);
  });

  it('rejects an invalid id', () => {
    for (const id of ['', '../a', 'A', 'a/b', 'a.json', 'x'.repeat(65)])
      assert.throws(() => recordPath(home.path, id), /is not a window id/, id);
  });
});
