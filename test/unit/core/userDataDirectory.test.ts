import assert from 'node:assert/strict';
import { userDataOf } from '../../../src/core/userDataDirectory.ts';

describe('core/userDataDirectory', () => {
  for (const [globalStorage, data] of [
    ['/h/a/.vscode-server/data/User/globalStorage/a.b', '/h/a/.vscode-server/data'],
    ['/h/a/.config/Code/User/profiles/-6c/globalStorage/a.b', '/h/a/.config/Code'],
    ['C:\\Users\\a\\Code\\User\\globalStorage\\a.b', 'C:\\Users\\a\\Code'],
    ['/srv/User/x/User/globalStorage/a.b', '/srv/User/x'],
    ['/elsewhere/storage', '/elsewhere/storage'],
  ] as const) {
    it(globalStorage, () => assert.equal(userDataOf(globalStorage), data));
  }
});
