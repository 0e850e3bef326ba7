import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProgramDirectories } from '../../../../../src/hosting/config/resolve/environment.ts';
import { makeTemporary, removeTemporary } from '../../../../temporary.ts';

describe('hosting/config/resolve/environment', () => {
  it('has the newest Node.js of nvm, and what else is there', async () => {
    const home = makeTemporary();
    for (const name of ['.nvm/versions/node/v9.1.0/bin', '.nvm/versions/node/v22.3.0/bin', '.cargo/bin'])
      mkdirSync(join(home, name), { recursive: true });
    const found = await findProgramDirectories(home, 'linux');
    const shown = found.filter((path) => path.startsWith(home));
    assert.deepEqual(shown, [join(home, '.nvm/versions/node/v22.3.0/bin'), join(home, '.cargo/bin')]);
    assert.deepEqual(await findProgramDirectories(home, 'win32'), []);
    removeTemporary(home);
  });
});
