import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { Hosted } from '../../../../src/hosting/servers/hosted.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { cleanUp, definition, type OpenedHosting, openHosting } from '../openHosting.ts';
import { OAuthServer } from '../remote/oauthServer.ts';
import { RemoteServers } from '../remote/support.ts';

describe('hosting/servers/hosting', () => {
  afterEach(cleanUp);

  const agent = { id: 1, agent: 'a' };
  const needy = { ...definition('changing'), env: { KEY: `\${input:key}` } };
  const sourcesOf = ({ hosting }: OpenedHosting) =>
    [hosting.servers, hosting.found].map((list) =>
      list.map((one) => ('offer' in one ? JSON.parse(one.key)[2] : one.source.kind)),
    );

  it('gives a server of one source nothing that the user gave one of another', async () => {
    const window = await openHosting({ db: needy });
    const { hosting } = window;
    const [own] = hosting.servers;
    await own?.trust();
    await own?.enter('key', 'of my own');
    await own?.restart();
    await window.sets({});
    await window.writes('.vscode/mcp.json', { servers: { db: needy } });
    assert.deepEqual(sourcesOf(window), [[], ['folder']]);
    await window.hostsFound();
    const [planted] = hosting.servers;
    assert.ok(planted && planted.catalogue === undefined);
    await assert.rejects(planted.restart(), /not entered yet: key/);
  });

  /** Takes the server back, which has another definition now. */
  const revokeAs = async (window: OpenedHosting, servers: object) => {
    await window.sets(servers);
    await window.hosting.revoke(window.hosting.servers[0] as Hosted);
    assert.deepEqual([...window.secrets], []);
  };

  it('forgets with a server all that the user ever entered for it', async () => {
    const window = await openHosting({ db: needy });
    await window.hosting.servers[0]?.enter('key', 'of the first definition');
    await revokeAs(window, { db: definition('changing') });
    await window.sets({ db: needy });
    const [again] = window.hosting.servers;
    await again?.trust();
    await assert.rejects(async () => again?.restart(), /not entered yet: key/);
  });

  it('forgets with a server the sign-in, also of an address that it had before', async () => {
    const remote = new RemoteServers();
    const oauth = await new OAuthServer().start(remote);
    const db = { url: oauth.url.href };
    let inBrowser = async () => {};
    const window = await openHosting({ db }, async (url) => {
      await inBrowser();
      oauth.visit(url);
    });
    const [first] = window.hosting.servers;
    await first?.trust();
    await assert.rejects(async () => first?.restart(), /must sign in/);
    await first?.signIn?.authorize(new AbortController().signal);
    await first?.restart();
    assert.equal(window.secrets.size, 1);
    await revokeAs(window, { db: definition('changing') });
    await window.sets({ db });
    const [again] = window.hosting.servers;
    await again?.trust();
    await assert.rejects(async () => again?.restart(), /must sign in/);
    inBrowser = () => window.hosting.revoke(again as Hosted);
    const signingIn = again?.signIn?.authorize(new AbortController().signal);
    await assert.rejects(async () => signingIn, { name: 'CancelledError' });
    assert.deepEqual([...window.secrets], []);
    await remote.dispose();
  });

  /** Two windows of one user on two folders. */
  const twoFolders = async (servers: object, remoteName = '') => {
    const kept = new Map<string, unknown>();
    const first = await openHosting(servers, undefined, { kept, remoteName });
    await first.hosting.servers[0]?.trust();
    await first.hosting.servers[0]?.enter('key', 'word');
    return [first, await openHosting(servers, undefined, { kept, remoteName })] as const;
  };
  const stateIn = ({ hosting }: OpenedHosting) => hosting.servers[0]?.state;

  it('approves a server of the user once for all folders, unless it is another one in each', async () => {
    const [first, second] = await twoFolders({ db: definition('changing') });
    assert.equal(stateIn(second), 'stopped');
    await first.hosting.revoke(first.hosting.servers[0] as Hosted);
    assert.equal(stateIn(second), 'new');
    const [, other] = await twoFolders({ db: { ...definition('changing'), cwd: '.' } });
    assert.equal(stateIn(other), 'new');
    const [, inContainer] = await twoFolders({ db: definition('changing') }, 'dev-container');
    assert.equal(stateIn(inContainer), 'new');
  });

  it('gives a server of a file nothing that the user gave one of their own in all folders', async () => {
    const [, second] = await twoFolders({ db: definition('changing') });
    await second.sets({});
    await second.writes('.mcp.json', { mcpServers: { db: definition('changing') } });
    assert.deepEqual(sourcesOf(second), [[], ['folder']]);
  });

  it('forgets with a server what was approved and entered for all folders, also if it is another one in each now', async () => {
    const [window] = await twoFolders({ db: needy });
    await revokeAs(window, { db: { ...needy, cwd: '.' } });
    await window.sets({ db: needy });
    assert.equal(stateIn(window), 'new');
  });

  it('keeps a server stopped that the user stopped, in later windows on the folder too, until they start it', async () => {
    const [kept, workspaceStore] = [new Map<string, unknown>(), new Map<string, unknown>()];
    const open = () => openHosting({ db: definition('changing') }, undefined, { kept, workspaceStore });
    const { hosting } = await open();
    const [db] = hosting.servers;
    await db?.trust();
    await db?.restart();
    let told = 0;
    hosting.onDidChangeLists(() => told++);
    await db?.halt();
    assert.deepEqual([db?.state, db?.isUsable(), db?.processes.state, told], ['halted', false, 'stopped', 1]);
    await assert.rejects(
      async () => db?.withClient(agent, async () => {}),
      /server db .*: the user has stopped it/,
    );
    const later = (await open()).hosting.servers[0];
    assert.equal(later?.state, 'halted');
    await later?.restart();
    assert.deepEqual([later?.state, later?.isUsable()], ['running', true]);
  });

  it('says what of a definition has changed', async () => {
    const window = await openHosting({ db: { ...definition('changing'), env: { A: 'x', B: 'y' } } });
    await window.hosting.servers[0]?.trust();
    await window.sets({ db: { ...definition('changing', 'more'), env: { A: 'z' }, cwd: resolve('/') } });
    assert.deepEqual(window.hosting.servers[0]?.changedParts, ['command', 'cwd', 'env']);
  });

  it('approves a definition for the syntax of its file only', async () => {
    const window = await openHosting();
    await window.writes('.vscode/mcp.json', { servers: { db: definition('changing') } });
    await window.hostsFound();
    await window.writes('.mcp.json', { mcpServers: { db: definition('changing') } });
    assert.deepEqual(sourcesOf(window), [['.vscode/mcp.json'], ['folder']]);
  });

  it('prefers the setting, then the profile, then files of the folder', async () => {
    const window = await openHosting();
    await window.writes('.mcp.json', { mcpServers: { db: definition('changing') } });
    await window.writes('../User/mcp.json', { servers: { db: definition('changing') } });
    await window.hostsFound();
    assert.deepEqual(sourcesOf(window), [['user'], ['folder']]);
    await window.sets({ db: definition('changing') });
    assert.deepEqual(sourcesOf(window), [['settings'], ['user', 'folder']]);
  });

  it('never starts a server again that was replaced, nor one of a window that has ended', async () => {
    const window = await openHosting({ db: definition('changing') });
    const [old] = window.hosting.servers;
    assert.ok(old);
    await old.trust();
    await old.restart();
    await window.sets({ db: definition('changing', 'more') });
    const [now] = window.hosting.servers;
    assert.ok(now && now !== old);
    await now.trust();
    const starts = (server: Hosted) => [
      () => server.withClient(agent, async () => {}),
      async () => server.follow(1, 'note://n', () => {}),
      () => server.restart(),
    ];
    for (const start of [...starts(old), async () => old.processes.of()])
      await assert.rejects(start, /The server db was removed or changed\. See tools\/list/);
    assert.equal(old.processes.state, 'stopped');
    const held = now.processes.of();
    await window.hosting.dispose();
    for (const start of [
      ...starts(now),
      () => now.processes.read(),
      () => held.restart(),
      async () => held.follow('a:b', () => {})(),
    ])
      await start().catch(({ message }) => assert.match(message, /was removed or changed/));
    assert.equal(held.state, 'stopped');
  });

  describe('whose window ends', () => {
    const clock = holdClock();

    it('says in both logs which server it had to kill', async () => {
      const { hosting, warnings } = await openHosting({ db: definition('faulty', 'stubborn') });
      const [db] = hosting.servers;
      await clock.settle(db?.trust() ?? assert.fail());
      await clock.settle(db?.restart() ?? assert.fail(), 0);
      await clock.settle(hosting.dispose());
      assert.match(`${db?.processes.lines}`, /killed, because it did not end within 4 s/);
      assert.match(`${warnings}`, /^hosted server db: killed, because/);
    });
  });
});
