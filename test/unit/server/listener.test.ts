import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { dial } from '../../../src/ipc/dial.ts';
import { newNonce, PREAMBLE_MAX_LINE, proofOf, readPreambleLine } from '../../../src/ipc/preamble.ts';
import type { AgentPeer } from '../../../src/server/listener.ts';
import { holdClock } from '../../fakes/clock.ts';
import { onPosix, useDirectory } from '../../temporary.ts';
import { Reader } from '../shim/streams.ts';
import { openImpostor, openUntilEnd, openWindow, silentLog, socketPathIn } from './support.ts';

describe('server/listener', () => {
  const clock = holdClock();
  const home = useDirectory();
  let window: Awaited<ReturnType<typeof openWindow>>;
  let peers: AgentPeer[];
  let logged: string[];
  let responsive: boolean;
  let probes: number;
  let known: string[];

  beforeEach(async () => {
    peers = [];
    logged = [];
    responsive = true;
    probes = 0;
    known = [];
    const options = {
      knowsSession: (resume: string) => known.includes(resume),
      log: { ...silentLog, debug: (line: string) => void logged.push(line) },
      isResponsive: async () => {
        probes++;
        return responsive;
      },
      openSession: (socket: Socket, peer: AgentPeer) => {
        peers.push(peer);
        socket.pipe(socket);
      },
    };
    window = await openUntilEnd(home, {}, options);
  });

  const connect = (): Socket => createConnection(window.record.socketPath).on('error', () => {});
  /** The end of a shim that was let in. */
  const entered = async ({ record }: Pick<typeof window, 'record'>): Promise<Socket> => {
    const { socket, enter } = await dial(record);
    await enter({});
    return socket;
  };
  /** A stranger that says hello, and what the window has said. */
  async function greeted(): Promise<{ socket: Socket; proofBy(token: string): string; theirs: unknown }> {
    const socket = connect();
    const nonce = newNonce();
    socket.write(`{"workspaceMcp":1,"nonce":"${nonce}"}\n`);
    const hello = await readPreambleLine(socket);
    const proofBy = (token: string) => `{"proof":"${proofOf('shim', token, nonce, String(hello.nonce))}"}\n`;
    return { socket, proofBy, theirs: hello.proof };
  }
  /** What is still to be written may fail first, on some systems. */
  const closed = (socket: Socket): Promise<unknown> =>
    new Promise((resolve) => socket.once('close', resolve));

  it('lets a shim in that knows the token, and tells who it is', async () => {
    const { socket, enter } = await dial(window.record);
    const resume = await enter({ cwd: '/ws', version: '1.2.3' });
    socket.write('hello');
    assert.equal(String((await once(socket, 'data'))[0]), 'hello');
    assert.deepEqual(peers, [{ cwd: '/ws', resume }]);
    socket.destroy();
  });

  it('tells sessions, hooks and the doctor, and counts agents only', async () => {
    const agent = await dial(window.record);
    await agent.enter({ session: 's' });
    const hook = await dial(window.record);
    await hook.enter({ purpose: 'hook' });
    const doctor = await dial(window.record);
    await doctor.enter({ purpose: 'doctor' });
    const odd = { session: 1, purpose: 'agent' } as unknown as { session: string };
    const other = await dial(window.record);
    await other.enter(odd);
    assert.deepEqual(
      peers.map(({ session, purpose }) => [session, purpose]),
      [
        ['s', undefined],
        [undefined, 'hook'],
        [undefined, 'doctor'],
        [undefined, undefined],
      ],
    );
    assert.equal(window.connections(), 2);
    for (const { socket } of [agent, hook, doctor, other]) socket.destroy();
  });

  it('hands on what follows the proof in the same chunk', async () => {
    const { socket, proofBy } = await greeted();
    socket.write(`${proofBy(window.record.token)}first`);
    const reader = new Reader(socket);
    await reader.until('first');
    assert.match(reader.text, /^\{"ok":true,"resume":"[0-9a-f]{32}"\}\nfirst$/);
    socket.destroy();
  });

  it('issues a resume key for each connection, and confirms only one that a session goes by', async () => {
    const keys: string[] = [];
    for (const resume of [undefined, 'f'.repeat(32)]) {
      const { socket, enter } = await dial(window.record);
      keys.push(await enter(resume ? { resume } : {}));
      socket.destroy();
    }
    const [first = '', second] = keys;
    assert.notEqual(first, second);
    assert.notEqual(second, 'f'.repeat(32));
    known = [first, 'no key'];
    const odd = await dial(window.record);
    assert.match(await odd.enter({ resume: 'no key' }), /^[0-9a-f]{32}$/);
    odd.socket.destroy();
    const { socket, enter } = await dial(window.record);
    assert.equal(await enter({ resume: first }), first);
    socket.destroy();
  });

  it('asks the workbench for a sign of life only when the shim wants to know', async () => {
    responsive = false;
    const plain = await dial(window.record);
    assert.deepEqual([plain.responsive, probes], [true, 0]);
    const probed = await dial(window.record, { probe: true });
    assert.deepEqual([probed.responsive, probes], [false, 1]);
    plain.socket.destroy();
    probed.socket.destroy();
  });

  it('leaves out a working directory that is too long for the preamble', async () => {
    const { socket, enter } = await dial(window.record);
    const resume = await enter({ cwd: 'x'.repeat(PREAMBLE_MAX_LINE), version: '1' });
    assert.deepEqual(peers, [{ resume }]);
    socket.destroy();
  });

  describe('refuses', () => {
    const ofVersion = (version: unknown) => `{"workspaceMcp":${version},"nonce":"secret"}`;
    const cases: [what: string, line: string, answer: RegExp][] = [
      ['no JSON', 'secret', /^$/],
      ['no nonce', ofVersion(1), /^$/],
      ['a line that never ends', 'secret'.repeat(PREAMBLE_MAX_LINE), /^$/],
      ['a later shim', ofVersion(2), /"The shim is newer than this window, .*Update the extension .*reload/],
      ['an older shim', ofVersion(0), /"The shim is older than this window, .*Restart the agent/],
      ['no shim', ofVersion('"x"'), /^\{"workspaceMcp":1,"error":"The peer is not a Workspace MCP shim/],
    ];
    for (const [what, line, answer] of cases)
      it(`${what}, and does not log what it said`, async () => {
        const socket = connect();
        socket.write(`${line}\n`);
        const reader = new Reader(socket);
        await closed(socket);
        assert.match(reader.text, answer);
        assert.equal(logged.length, 1);
        assert.doesNotMatch(String(logged), /secret/);
      });

    it("a shim that does not know the token, and the window's own proof played back", async () => {
      const [wrong, replayed] = [await greeted(), await greeted()];
      wrong.socket.write(wrong.proofBy('f'.repeat(64)));
      replayed.socket.write(`{"proof":"${replayed.theirs}"}\n`);
      const readers = [wrong, replayed].map(({ socket }) => new Reader(socket));
      await Promise.all([closed(wrong.socket), closed(replayed.socket)]);
      assert.deepEqual([readers.map(({ text }) => text).join(''), peers], ['', []]);
    });
  });

  it('accepts a shim despite many silent connections: the oldest of these is closed', async () => {
    const strangers = Array.from({ length: 40 }, connect);
    await Promise.all(strangers.map((socket) => once(socket, 'connect')));
    const gone = strangers.slice(0, 9).map((socket) => closed(socket.resume()));
    const socket = await entered(window);
    await Promise.all(gone);
    assert.equal(peers.length, 1);
    for (const one of [...strangers, socket]) one.destroy();
  });

  it('shares its address with no other listener', async () => {
    const other = createServer().listen(window.record.socketPath);
    await assert.rejects(once(other, 'listening'), { code: 'EADDRINUSE' });
  });

  onPosix('keeps others out of the socket file, and removes it', () => {
    assert.equal(statSync(window.record.socketPath).mode & 0o777, 0o600);
    window.close();
    assert.equal(existsSync(window.record.socketPath), false);
  });

  describe('a goodbye', () => {
    const LINE =
      '{"jsonrpc":"2.0","method":"notifications/workspace-mcp/goodbye","params":{"reason":"stopped"}}\n';

    it('is the last line, and is not sent to unauthenticated peers', async () => {
      const socket = await entered(window);
      const stranger = connect();
      const [heard, overheard] = [text(socket), text(stranger)];
      socket.write('first\n');
      await once(socket, 'data');
      window.close('stopped');
      assert.equal(await heard, `first\n${LINE}`);
      assert.equal(await overheard.catch(() => ''), '');
    });

    it('is not waited for long where nobody reads', async () => {
      const stuck: Socket[] = [];
      const openSession = (socket: Socket) => void stuck.push(socket);
      const deaf = await openWindow(home.path, { id: 'deaf' }, { openSession });
      const socket = await entered(deaf);
      socket.pause();
      stuck[0]?.write('x'.repeat(8 * 1024 * 1024));
      deaf.close('stopped');
      assert.ok(!stuck[0]?.destroyed, 'what is on its way has its time');
      const gone = closed(stuck[0] as Socket);
      await clock.pass(500);
      await gone; // though nothing of it is ever read
      socket.destroy();
    });
  });

  it('closes a connection whose session fails', async () => {
    const openSession = () => Promise.reject(new Error('no session'));
    const failing = await openWindow(home.path, { id: 'b' }, { openSession });
    const socket = await entered(failing);
    await once(socket.resume(), 'close');
    assert.ok(socket.destroyed);
    failing.close();
  });

  it('tells an impostor at its socket nothing', async () => {
    const socketPath = socketPathIn(home.path);
    const line = `{"workspaceMcp":1,"nonce":"${newNonce()}","proof":"${'0'.repeat(64)}"}`;
    const { heard, server } = await openImpostor(socketPath, line);
    await assert.rejects(dial({ ...window.record, socketPath }), /could not prove that it is that window/);
    server.close();
    await once(server, 'close');
    assert.match(heard.join(''), /^\{"workspaceMcp":1,"nonce":"[0-9a-f]{32}"\}\n$/);
  });
});
