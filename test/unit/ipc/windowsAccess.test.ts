import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { closeToOthers } from '../../../src/ipc/windowsAccess.ts';
import { useDirectory } from '../../temporary.ts';

const OWN = '(A;OICI;FA;;;SY)(A;OICI;FA;;;S-1-5-21-1-2-3-1001)';

describe('ipc/windowsAccess: the access list of a directory', () => {
  const directory = useDirectory();

  /** icacls, which writes lists as they are now, and has `after` when it has changed one. */
  const icacls = (list: string, after = list) => {
    const calls: string[][] = [];
    let now = list;
    const run = async (...[, option = '', file = '', ...rest]: string[]) => {
      calls.push([option, file, ...rest]);
      if (option === '/save') writeFileSync(file, `state\r\nD:PAI${now}\r\n`, 'utf16le');
      else now = after;
    };
    return { run, changes: () => calls.filter(([option]) => option !== '/save').map(([option]) => option) };
  };

  it('stays as it is if only the user, the system or administrators are on it', async () => {
    const { run, changes } = icacls(`${OWN}(A;OICI;FA;;;BA)(D;;FA;;;WD)`);
    await closeToOthers(directory.path, run);
    assert.deepEqual([changes(), readdirSync(directory.path)], [[], []]);
  });

  it('loses other users, the user first being on it', async () => {
    for (const others of ['(A;OICIID;0x1200a9;;;BU)', '(A;;FR;;;WD)', '(A;ID;FA;;;AU)']) {
      const { run, changes } = icacls(OWN + others, OWN);
      await closeToOthers(directory.path, run);
      assert.deepEqual(changes(), ['/grant:r', '/inheritance:r']);
    }
  });

  it('is refused if they stay on it, with what to run', async () => {
    const { run } = icacls('(A;;FA;;;WD)');
    const failing = closeToOthers(directory.path, run);
    await assert.rejects(failing, /other users can access it\. Run: icacls ".+" \/inheritance:r/);
  });

  it('counts as closed where there is none, or no icacls', async () => {
    await closeToOthers(directory.path, async () => Promise.reject(new Error('ENOENT')));
  });
});
