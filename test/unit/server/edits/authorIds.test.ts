import assert from 'node:assert/strict';
import { AuthorIds } from '../../../../src/server/edits/authorIds.ts';
import { Journal } from '../../../../src/workspace/edit/journal.ts';

const [KEY, OTHER] = ['1'.repeat(32), '2'.repeat(32)];

describe('server/edits/authorIds', () => {
  const open = (journal = new Journal()) => ({
    journal,
    ids: new AuthorIds(journal),
    edits: (id: number) => journal.add({ author: { id, agent: 'Agent' }, tool: 'edit_file', deeds: [] }),
  });

  it('an agent that resumes its session has its id again, if it has edits; others get new ones', () => {
    const { ids, edits } = open();
    const id = ids.begin(KEY);
    edits(id);
    ids.end(id);
    assert.deepEqual([ids.knows(KEY), ids.knows(OTHER)], [true, false]);
    assert.notEqual(ids.begin(OTHER), id);
    assert.equal(ids.begin(KEY), id);
    assert.notEqual(ids.begin(KEY), id, 'two at once are two agents');
  });

  it('after a reload too, and no new agent gets the id of one that has gone; no key is stored', () => {
    const before = open();
    const [first, second] = [before.ids.begin(KEY), before.ids.begin(OTHER)];
    before.edits(first);
    before.edits(second);
    const stored = before.ids.stored();
    assert.ok(!JSON.stringify(stored).includes(KEY));
    const after = open();
    after.journal.restore(before.journal.entries);
    after.ids.restore(stored.slice(0, 1));
    assert.deepEqual([after.ids.knows(KEY), after.ids.knows(OTHER)], [true, false]);
    assert.deepEqual([after.ids.begin(OTHER), after.ids.begin(KEY)], [3, first]);
  });

  it('is forgotten with its connection if it has no edits', () => {
    const { ids } = open();
    ids.end(ids.begin(KEY));
    assert.equal(ids.knows(KEY), false);
    assert.equal(ids.begin(KEY), 2);
    assert.deepEqual(ids.stored(), []);
  });
});
