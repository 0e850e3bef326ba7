import assert from 'node:assert/strict';
import type { Decision } from '../../../../src/access/consent/types.ts';
import { proposeEdit } from '../../../../src/features/edit/editFile.ts';
import type { FakeOptions } from '../../../fakes/vscode.ts';
import { disk, openUnwatched } from '../editing.ts';
import { cleanUp, textsOf, type Window } from '../window.ts';

const LINES = 'one\ntwo\nthree\nfour\n';

function open(decide: (after: string, window: Window) => Decision, options: Partial<FakeOptions> = {}) {
  const window = openUnwatched({ x: LINES }, options);
  window.consent.decisions.push(({ after }) => decide(after, window));
  return window;
}

async function propose(window: Window, args: object = {}) {
  const edits = [{ oldText: 'two', newText: '2' }];
  const result = await window.run(proposeEdit, { path: 'x', edits, ...args });
  const [text = ''] = textsOf(result);
  return { text, isError: result.isError ?? false };
}

/** Types in the file while the user decides. */
function types(window: Window, text: string): void {
  const { person } = window.fake;
  person.types(person.loads(window.path('x')), text);
}

describe('features/edit/editFile: proposals', () => {
  afterEach(cleanUp);

  it('makes the edit that the user accepted, without a second question', async () => {
    const window = open((accepted) => ({ accepted }));
    const message = 'Shorter';
    const { text } = await propose(window, { message });
    assert.match(text, /^The user accepted the edit as proposed\.\nx: proposal applied, version 2, saved\./);
    assert.equal(disk(window, 'x'), LINES.replace('two', '2'));
    assert.deepEqual(window.consent.questions, []);
    assert.partialDeepStrictEqual(window.consent.proposals, [{ path: 'x', before: LINES, message }]);
  });

  it('returns what the user changed, and changes nothing without an acceptance', async () => {
    const changing = open((after) => ({ accepted: after.replace('three', '3') }));
    const { text } = await propose(changing, { edits: undefined, newText: LINES.replace('two', '2') });
    assert.match(text, /From the proposed to the accepted text:\n[\s\S]*\n 2\n-three\n\+3\n four\n/);
    assert.equal(disk(changing, 'x'), 'one\n2\n3\nfour\n');
    for (const [decision, why] of [
      [{ discarded: true }, /discarded the proposal/],
      [{ closed: true }, /without a decision/],
      [{ accepted: LINES }, /nothing was changed/],
    ] satisfies [Decision, RegExp][]) {
      const window = open(() => decision);
      assert.match((await propose(window)).text, why);
      assert.equal(disk(window, 'x'), LINES);
    }
  });

  it('returns the accepted text if the file changed at the same lines', async () => {
    const window = open((after, one) => {
      types(one, LINES.replace('two', 'TWO'));
      return { accepted: after.replace('four', '4') };
    });
    const { text, isError } = await propose(window);
    assert.match(text, /changed at the same lines[\s\S]*had accepted this edit:[\s\S]*\+2\n[\s\S]*\+4\n/);
    assert.equal(isError, true);
    assert.equal(window.fake.documents[0]?.getText(), LINES.replace('two', 'TWO'));
  });

  it('asks again about what a diff editor may hide, and about guarded files', async () => {
    for (const [two, guardedPaths] of [
      ['  two', []],
      ['t\u200bwo', []],
      ['2', ['x']],
    ] as const) {
      const user = { 'workspaceMcp.access.guardedPaths': guardedPaths };
      const window = open((accepted) => ({ accepted }), { user });
      const newText = LINES.replace('two', two);
      window.consent.answers.push({ deny: 'no' });
      const { text, isError } = await propose(window, { edits: undefined, newText });
      assert.match(text, /denied this call[\s\S]*had accepted this edit/);
      assert.deepEqual([isError, disk(window, 'x')], [true, LINES]);
    }
  });

  it('proposes nothing where edits are switched off, or with redacted text', async () => {
    for (const [user, why] of [
      [{ 'workspaceMcp.approvals': { edit: 'deny' } }, /switched "edit" off/],
      [{ 'workspaceMcp.access.redact': ['three'] }, /has redacted text/],
    ] as const) {
      const window = open((accepted) => ({ accepted }), { user });
      await assert.rejects(propose(window), why);
      assert.deepEqual(window.consent.proposals, []);
    }
  });
});
