import assert from 'node:assert/strict';
import { holdClock } from '../../../fakes/clock.ts';

const { saved } = await import('../../../../src/ui/proposals/proposalFiles.ts');

describe('ui/proposals/proposalFiles: saving a proposal', () => {
  const clock = holdClock();

  it('tries again while VS Code refuses it, as beside another save, however long', async () => {
    let refused = 0;
    const save = async () => {
      if (refused++ < 1_000) return false;
      document.isDirty = false;
      return true;
    };
    const document = { isClosed: false, isDirty: true, save };
    await clock.settle(saved(document, () => false));
    assert.equal(document.isDirty, false);
  });

  it('saves again what was typed meanwhile, of which only the tab tells yet', async () => {
    let saves = 0;
    const save = async () => ++saves > 0;
    await clock.settle(saved({ isClosed: false, isDirty: false, save }, () => saves < 3));
    assert.equal(saves, 3);
  });

  it('saves what was typed a moment before, of which the extension host has not heard', async () => {
    let isSaved = false;
    const save = async () => {
      isSaved = true;
      return true;
    };
    await clock.settle(saved({ isClosed: false, isDirty: false, save }, () => false));
    assert.ok(isSaved);
  });

  it('ends if the text is closed', async () => {
    const save = async () => {
      document.isClosed = true;
      return false;
    };
    const document = { isClosed: false, isDirty: true, save };
    await clock.settle(saved(document, () => true));
    assert.ok(document.isClosed);
  });
});
