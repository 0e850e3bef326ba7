import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { holdClock } from '../../../fakes/clock.ts';
import { answer, cancel, INITIALIZED, NONE, request, rpc, Session, turnsUntil } from './session.ts';

const HELLO = { protocolVersion: '2025-11-25', capabilities: { roots: { listChanged: true } } };
/** On Windows with a drive. */
const ROOT = resolve('/a b');
const ROOTS = { roots: [{ uri: pathToFileURL(ROOT).href }, { uri: 'https://x' }, 7] };
const CHANGED = rpc({ method: 'notifications/roots/list_changed' });

describe('shim/relay/relayedRoots', () => {
  const clock = holdClock();
  let session: Session;
  beforeEach(() => {
    session = new Session(clock);
  });
  afterEach(() => session.close());

  const asked = () => session.agent.messages.filter(({ method }) => method === 'roots/list').length;

  it('come from the answer to the window, and later windows get that too, until they change', async () => {
    const first = await session.connected();
    const { agent, windows } = session;
    session.write(request(1, 'initialize', HELLO), INITIALIZED);
    await first.until('notifications/initialized');
    first.write(answer(1, HELLO), request('window:1', 'roots/list'));
    await agent.message('window:1');
    session.write(answer('window:1', ROOTS));
    await first.until(answer('window:1', ROOTS));
    assert.deepEqual(windows.roots, [ROOT]);
    first.socket.destroy();
    const second = await session.window(2);
    await second.until('initialize');
    second.write(answer(second.messages[0].id, HELLO), request('window:2', 'roots/list'));
    await second.until(answer('window:2', ROOTS));
    assert.equal(asked(), 1);
    session.write(CHANGED);
    await second.until(CHANGED);
    second.write(request('window:3', 'roots/list'));
    await agent.message('window:3');
  });

  it('are asked for while there is no window, and the first one gets the answer', async () => {
    const { agent, windows } = session;
    windows.none = NONE;
    session.start();
    session.write(request(1, 'initialize', HELLO), INITIALIZED);
    await turnsUntil(() => asked() === 1);
    windows.none = undefined;
    session.write(answer(agent.messages.at(-1).id, ROOTS));
    const window = await session.window(1);
    assert.deepEqual(windows.roots, [ROOT]);
    await window.until('initialize');
    window.write(answer(window.messages[0].id, HELLO), request('window:1', 'roots/list'));
    await window.until(answer('window:1', ROOTS));
    assert.equal(asked(), 1);
    window.write(cancel('window:1'), request('end', 'x'));
    await agent.message('end');
    assert.doesNotMatch(agent.text, /cancelled/, 'the client was not asked by that window');
  });
});
