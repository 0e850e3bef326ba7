import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  agentChanges,
  changeAt,
  nextChange,
  withChange,
  without,
} from '../../../../src/ui/review/agentChanges.ts';
import { changedFilesOf, type Step, stepsOf } from '../../../../src/ui/review/histories.ts';
import { changed, created, deleted, editBy } from './edits.ts';

const stepsIn = (...edits: Parameters<typeof changedFilesOf>[0]) => changedFilesOf(edits)[0]?.steps ?? [];

describe('ui/review/agentChanges: what comes from agents', () => {
  const BASE = 'a\nb\nc\nd\ne\nf\n';
  const EDITED = 'a\nB\nc\nd\ne\nf\n';
  const first = editBy(1, 1, changed('a.ts', BASE, EDITED));

  it("is taken back; what was typed elsewhere, or over it, is the user's", () => {
    assert.equal(without(stepsIn(first), `${EDITED}typed\n`), `${BASE}typed\n`);
    const typed = EDITED.replace('B', 'Btyped');
    assert.equal(without(stepsIn(first), typed), typed);
    assert.deepEqual(agentChanges(stepsIn(first), typed), []);
    const text = EDITED.replace('e', 'E');
    const [file = assert.fail()] = changedFilesOf([first, editBy(2, 2, changed('a.ts', EDITED, text))]);
    assert.equal(without(stepsOf(file, { author: 1 }), text), BASE.replace('e', 'E'));
    assert.equal(without(stepsOf(file, { author: 2 }), text), EDITED);
    const owners = agentChanges(file.steps, text).map(({ edit }) => edit.author.id);
    assert.deepEqual(owners, [1, 2], 'it is known for each agent');
  });

  it('is shown with the last edit of its lines, and taken back one by one', () => {
    const text = 'new\na\nBB\nc\nd\nf\n';
    const changes = agentChanges(stepsIn(first, editBy(2, 2, changed('a.ts', EDITED, text))), text);
    const shown = changes.map((one) => `${one.kind} ${one.start.line}-${one.end.line} by ${one.edit.id}`);
    assert.deepEqual(shown, ['added 0-1 by 2', 'changed 2-3 by 2', 'removed 5-5 by 2']);
    const [added, replaced = assert.fail(), removed] = changes;
    assert.deepEqual([changeAt(changes, 2), changeAt(changes, 3)], [replaced, undefined]);
    assert.deepEqual([nextChange(changes, 2, -1), nextChange(changes, 2, 1)], [added, removed]);
    assert.equal(withChange(text, replaced), 'new\na\nb\nc\nd\nf\n');
  });

  it('of a created file is all but what was typed, of a deleted one that it is gone, unless the user created it again', () => {
    const steps = stepsIn(editBy(1, 1, created('new.ts', 'a\nb\nc\n')));
    assert.equal(without(steps, 'a\nb\nc\n'), undefined);
    assert.equal(without(steps, 'a\nB\nc\n'), 'B\n');
    const gone = stepsIn(first, editBy(1, 2, deleted('a.ts', { 'a.ts': EDITED })));
    assert.equal(without(gone, undefined), BASE);
    assert.equal(without(gone, 'again\n'), 'again\n');
  });

  it('never takes a line that the user typed: the rest is what the user alone would have typed', () => {
    // Lines belong to the user or to agents. Between them is one that nobody touches, so they never meet. Blocks have no
    // lines in common: a diff cannot tell a line that moved from one that was written twice.
    const turn = fc.record({
      isAgent: fc.boolean(),
      block: fc.nat(4),
      lines: fc.array(fc.constantFrom('x', 'y', 'z')),
    });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 12 }), (turns) => {
        const blocks = { agent: Array<string[]>(5).fill(['old']), user: Array<string[]>(5).fill(['old']) };
        const textOf = (agent: string[][]) =>
          agent
            .flatMap((lines, at) => [
              ...lines.map((line) => `agent ${at} ${line}`),
              `between ${at}`,
              ...(blocks.user[at] ?? []).map((line) => `user ${at} ${line}`),
              `after ${at}`,
            ])
            .map((line) => `${line}\n`)
            .join('');
        const steps: Step[] = [];
        for (const { isAgent, block, lines } of turns) {
          const before = textOf(blocks.agent);
          const side = isAgent ? 'agent' : 'user';
          blocks[side] = blocks[side].with(block, lines);
          if (isAgent) steps.push({ edit: editBy(1, steps.length), before, after: textOf(blocks.agent) });
        }
        const text = textOf(blocks.agent);
        const alone = textOf(Array(5).fill(['old']));
        assert.equal(without(steps, text), alone);
        const oneByOne = agentChanges(steps, text).reduceRight(withChange, text);
        assert.equal(oneByOne, alone);
      }),
      { numRuns: 40 },
    );
  });
});
