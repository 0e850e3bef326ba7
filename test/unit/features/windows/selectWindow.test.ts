import assert from 'node:assert/strict';
import type { OpenWindow } from '../../../../src/core/windowTools.ts';
import { selectWindow } from '../../../../src/features/windows/selectWindow.ts';
import { cleanUp, openWindow, textsOf } from '../window.ts';

const ide = 'Fake Code 1.101.0';
const api = { name: 'api', path: '/home/you/api' };
const forged = { name: 'a\nb (not trusted)', path: '/home/you/a\u202e' };
const WINDOWS: OpenWindow[] = [
  { id: 'two', folders: [api], ide, trusted: true, focusedAt: 2, isThis: false },
  { id: 'one', folders: [], ide, trusted: false, focusedAt: 1, isThis: true },
];

describe('features/windows/selectWindow', () => {
  afterEach(cleanUp);

  it('tells which windows are open, and which one this is', async () => {
    const result = await openWindow({}, { windows: WINDOWS }).run(selectWindow);
    assert.deepEqual(result.structuredContent, {
      windows: [
        { id: 'two', folders: [api], editor: ide, trusted: true },
        { id: 'one', folders: [], editor: ide, trusted: false, current: true },
      ],
    });
    assert.deepEqual(textsOf(result), [
      `two (${ide}): api (/home/you/api)\none (this one, ${ide}, not trusted): no folder`,
    ]);
  });

  it('forges no line of the text by the name of a folder, and says so where none answers', async () => {
    const windows = [{ id: 'x', folders: [forged], ide, trusted: true, isThis: false }];
    const result = await openWindow({}, { windows }).run(selectWindow);
    assert.deepEqual(textsOf(result), [`x (${ide}): a\\u{a}b (not trusted) (/home/you/a\\u{202e})`]);
    assert.deepEqual(textsOf(await openWindow().run(selectWindow)), ['No window answers.']);
  });

  it('answers with the window that the session goes on in, or names those that are open', async () => {
    const window = openWindow({}, { windows: WINDOWS });
    const result = await window.run(selectWindow, { window: 'two' });
    assert.deepEqual(result.structuredContent, { window: 'two', folders: [api] });
    assert.deepEqual(textsOf(result), [
      'This session continues in window two (folders: api (/home/you/api)).',
    ]);
    for (const wrong of ['tw', 'TWO', '../two', '__proto__'])
      await assert.rejects(window.run(selectWindow, { window: wrong }), {
        name: 'UserError',
        message: `No window with the id "${wrong}" is open. These are open:\ntwo (${ide}): api (/home/you/api)\none (this one, ${ide}, not trusted): no folder`,
      });
  });
});
