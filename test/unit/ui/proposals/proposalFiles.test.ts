import assert from 'node:assert/strict';
import { holdClock } from '../../../fakes/clock.ts';

const { saved } = await import('../../../../src/ui/proposals/proposalFiles.ts');

describe('ui/proposals/proposalFiles: saving a proposal', () => {
  const clock = holdClock();

  it('waits for a save that is in progress', async () => {
    let refused = 0;
    const save = async () => {
      if (refused++ < 2) return false; // as VS Code does meanwhile
      document.isDirty = false;
      return true;
    };
    const document = { isClosed: false, isDirty: true, save };
    assert.equal(await clock.settle(saved(document)), true);
    assert.equal(document.isDirty, false);
  });

  it('saves what was typed a moment before, of which the extension host has not heard', async () => {
    let isSaved = false;
    const save = async () => {
      isSaved = true;
      return true;
    };
    assert.equal(await clock.settle(saved({ isClosed: false, isDirty: false, save })), true);
    assert.ok(isSaved);
  });
});
