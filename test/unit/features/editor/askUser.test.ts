import assert from 'node:assert/strict';
import type { Reply } from '../../../../src/access/consent/types.ts';
import type { Input } from '../../../../src/features/context.ts';
import { askUser } from '../../../../src/features/editor/askUser.ts';
import { CALL, cleanUp, openWindow, textsOf, type Window } from '../window.ts';

const MESSAGE = 'Which colour?';
const COLOURS = { message: MESSAGE, choices: ['red', 'blue'] };

/** The answer to a call of an agent whose client shows forms. */
async function inForm(window: Window, answer?: object, args: object = COLOURS) {
  const asked: unknown[] = [];
  const input: Input = {
    capabilities: { elicitation: {} },
    answers: answer ? { answer } : {},
    state: undefined,
    ask: async (requests) => ({ asked: asked.push(requests) }) as never,
  };
  const result = await window.run(askUser, args, { ...CALL, input });
  return { asked, text: 'content' in result ? textsOf(result)[0] : undefined };
}

describe('features/editor/askUser', () => {
  afterEach(cleanUp);

  it('returns the answer: own words besides choices only if asked to', async () => {
    for (const [reply, said] of [
      [{ choice: 'blue' }, /^The user chose: blue$/],
      [{ words: 'green\nor so' }, /^The user answered: green\nor so$/],
      [{ dismissed: true }, /dismissed the question.*do not ask it again/],
    ] satisfies [Reply, RegExp][]) {
      const window = openWindow();
      window.consent.replies.push(reply);
      const [text] = textsOf(await window.run(askUser, { message: ` ${MESSAGE} ` }));
      assert.match(text ?? '', said);
      const inquiry = { agent: 'test', message: MESSAGE, choices: [], freeText: true };
      assert.partialDeepStrictEqual(window.consent.inquiries, [inquiry]);
    }
    const window = openWindow();
    window.consent.replies.push({ choice: 'red' }, { choice: 'red' });
    for (const freeText of [undefined, true]) await window.run(askUser, { ...COLOURS, freeText });
    const free = window.consent.inquiries.map(({ freeText }) => freeText);
    assert.deepEqual(free, [false, true]);
  });

  it('shows one question of a session at a time', async () => {
    const window = openWindow();
    const first = new AbortController();
    const asking = window.run(askUser, { message: '1' }, { ...CALL, signal: first.signal });
    const next = window.run(askUser, { message: '2' });
    while (window.consent.inquiries.length === 0) await new Promise(setImmediate);
    window.consent.replies.push({ dismissed: true });
    first.abort();
    await assert.rejects(asking, /cancelled/);
    await next;
    assert.partialDeepStrictEqual(window.consent.inquiries, [{ message: '1' }, { message: '2' }]);
  });

  it('uses a form of the client if the user is in another window', async () => {
    const window = openWindow();
    window.consent.replies.push({ choice: 'red' });
    assert.equal((await inForm(window)).text, 'The user chose: red');
    Object.assign(window.fake.window.state, { focused: false, active: false });
    const { asked } = await inForm(window);
    const requestedSchema = { properties: { answer: { enum: ['red', 'blue'] } } };
    assert.partialDeepStrictEqual(asked, [{ answer: { params: { message: MESSAGE, requestedSchema } } }]);
    const accepted = { action: 'accept', content: { answer: 'blue' } };
    assert.equal((await inForm(window, accepted)).text, 'The user chose: blue');
    assert.match((await inForm(window, { action: 'decline' })).text ?? '', /dismissed/);
    assert.equal(window.consent.inquiries.length, 1);
  });
});
