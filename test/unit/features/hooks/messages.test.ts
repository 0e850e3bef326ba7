import assert from 'node:assert/strict';
import { Messages } from '../../../../src/features/hooks/messages.ts';

const NEVER = new AbortController().signal;

describe('features/hooks/messages', () => {
  let messages: Messages;
  beforeEach(() => {
    messages = new Messages();
  });

  it('wake a session that waits, once, and no other', async () => {
    const waiting = messages.wait('s', NEVER);
    assert.deepEqual([messages.canWake('s'), messages.canWake('t')], [true, false]);
    assert.deepEqual([messages.send('s', 'one'), messages.send('s', 'two')], [true, false]);
    assert.equal(await waiting, 'one');
    assert.equal(messages.canWake('s'), false);
    assert.deepEqual([messages.take('s'), messages.take('s'), messages.take('t')], [['two'], [], []]);
  });

  it('wake nobody who goes on, waits again or is gone', async () => {
    const goesOn = messages.wait('s', NEVER);
    messages.goesOn('s');
    assert.equal(await goesOn, undefined);
    const gone = new AbortController();
    const before = messages.wait('s', gone.signal);
    const waiting = messages.wait('s', NEVER);
    gone.abort();
    assert.equal(await before, undefined);
    assert.deepEqual([messages.send('s', 'one'), await waiting], [true, 'one']);
    const last = new AbortController();
    const ended = messages.wait('s', last.signal);
    last.abort();
    assert.deepEqual([await ended, messages.send('s', 'two')], [undefined, false]);
  });

  it('wait for the next prompt: the last 20, until the session is forgotten', async () => {
    for (let at = 0; at < 22; at++) messages.send('s', `${at}`);
    const texts = messages.take('s');
    assert.deepEqual([texts.length, texts[0], texts.at(-1)], [20, '2', '21']);
    messages.send('s', 'one');
    const waiting = messages.wait('s', NEVER);
    messages.forget('s');
    assert.deepEqual([await waiting, messages.take('s')], [undefined, []]);
  });
});
