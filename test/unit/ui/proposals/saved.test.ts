import assert from 'node:assert/strict';
import { saved } from '../../../../src/ui/proposals/saved.ts';

describe('ui/proposals/saved: saving a proposal', () => {
  it('waits for a save that is in progress', async () => {
    let refused = 0;
    const document = {
      isDirty: true,
      save: () => {
        if (refused++ < 2) return Promise.resolve(false); // as VS Code does meanwhile
        document.isDirty = false;
        return Promise.resolve(true);
      },
    };
    assert.equal(await saved(document), true);
    assert.equal(document.isDirty, false);
  });
});
