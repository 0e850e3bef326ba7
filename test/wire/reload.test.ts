/** What holds over a reload of the window: the second window has another extension host, and the same workspace storage. */
import assert from 'node:assert/strict';
import { until, useMachine } from './harness.ts';
import { Peer } from './peer.ts';

const TREES = { ws: { 'a.txt': '1', 'b.txt': '1', 'c.txt': '1' } };
const editing = (path: string) => ({ path, edits: [{ oldText: '1', newText: '2' }] });

describe('wire: a window is reloaded', () => {
  const machine = useMachine();

  /** A window in which an agent was allowed to edit for its session, and which has gone; and the agent's key. */
  async function gone() {
    const window = await machine.open({ trees: TREES });
    const peer = await Peer.of(machine.root, window);
    window.consent.answers.push({ allow: 'session' });
    assert.ok(!(await peer.call('edit_file', editing('a.txt'))).isError);
    window.server.stop();
    await peer.ended();
    await until(() => window.agents.length === 0, 'the agent is still there');
    return { kept: window.consent.kept, resume: peer.resume };
  }

  it('what was allowed for a session still is, to the one that goes by its key', async () => {
    const { kept, resume } = await gone();
    assert.ok(!JSON.stringify(kept.get()).includes(resume), 'a key is kept');
    const window = await machine.open({ trees: TREES, kept });
    window.consent.answers.push({ deny: '' }, { deny: '' });
    const stranger = await Peer.of(machine.root, window, 'f'.repeat(32));
    assert.notEqual(stranger.resume, 'f'.repeat(32));
    assert.ok((await stranger.call('edit_file', editing('b.txt'))).isError);
    const peer = await Peer.of(machine.root, window, resume);
    assert.equal(peer.resume, resume);
    assert.ok(!(await peer.call('edit_file', editing('b.txt'))).isError);
    assert.equal(window.consent.questions.length, 1);
    // …until the person takes it back
    const allowed = window.agents.filter((agent) => agent.allowed.has('edit'));
    assert.equal(allowed.length, 1);
    allowed[0]?.takeBack('edit');
    assert.ok((await peer.call('edit_file', editing('c.txt'))).isError);
    assert.deepEqual(kept.get(), []);
    for (const { socket } of [stranger, peer]) socket.destroy();
  });

  it('nothing is allowed still in a workspace that is not trusted', async () => {
    const { kept, resume } = await gone();
    const window = await machine.open({ trees: TREES, kept, isTrusted: false });
    const peer = await Peer.of(machine.root, window, resume);
    assert.notEqual(peer.resume, resume);
    peer.socket.destroy();
  });
});
