import assert from 'node:assert/strict';
import { saved } from '../../../../src/ui/proposals/saved.ts';
import { holdClock } from '../../../fakes/clock.ts';

describe('ui/proposals/saved: saving a proposal', () => {
  const clock = holdClock();

  it('waits for a save that is in progress', async () => {
    let refused = 0;
    const save = async () => {
      if (refused++ < 2) return false; // as VS Code does meanwhile
      document.isDirty = false;
      return true;
    };
    const document = { isDirty: true, save };
    assert.equal(await clock.settle(saved(document)), true);
    assert.equal(document.isDirty, false);
  });
});
