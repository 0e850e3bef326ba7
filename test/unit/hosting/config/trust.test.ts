// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables
import assert from 'node:assert/strict';
import type { ServerLaunch } from '../../../../src/hosting/config/definition.ts';
import { Trust } from '../../../../src/hosting/config/trust.ts';
import { memento } from '../../../fakes/stores.ts';

const server = JSON.stringify(['file:///ws', 'db', 'settings']);

const launch: ServerLaunch = {
  type: 'stdio',
  command: 'npx',
  args: ['-y', 'db@1', 'a b'],
  env: { TOKEN: 'pa55word', NODE_OPTIONS: '-r ./x.js' },
};

function withStore(isTrusted = true) {
  const kept = new Map<string, unknown>();
  return { kept, trust: new Trust(memento(kept), { isTrusted }, 'posix') };
}

describe('hosting/config/trust', () => {
  it('asks with all that decides what runs, and no secret', () => {
    assert.deepEqual(withStore().trust.verdict(server, { ...launch, cwd: '${userHome}/\u202ex' }), {
      kind: 'new',
      shown: {
        commandLine: "npx -y db@1 'a b'",
        cwd: '${userHome}/\\u{202e}x',
        env: ['TOKEN', 'NODE_OPTIONS=-r ./x.js'],
        headers: [],
        references: ['userHome'],
      },
    });
    const remote: ServerLaunch = {
      type: 'http',
      url: 'https://a.org:1/${env:A}',
      headers: { Authorization: 'pa55word' },
    };
    assert.deepEqual(withStore().trust.verdict(server, remote), {
      kind: 'new',
      shown: {
        url: 'https://a.org:1/${env:A}',
        host: 'a.org:1',
        env: [],
        headers: ['Authorization'],
        references: ['env:A'],
      },
    });
    const unsure = [
      'https://${env:A}.org/',
      'https://a.org${env:A}',
      'https:///${env:A}',
      'https://a@b.org/',
    ];
    for (const url of unsure) {
      const open = withStore().trust.verdict(server, { ...remote, url });
      assert.ok(open.kind === 'new' && open.shown.host === undefined, url);
    }
  });

  it('covers one definition of one server of one source in one place', async () => {
    const { trust } = withStore();
    await trust.record(server, launch);
    const { command, ...rest } = launch;
    assert.equal(trust.verdict(server, { ...rest, command }).kind, 'trusted');
    for (const other of ['other', 'file:///other', '.mcp.json'])
      for (const part of ['file:///ws', 'db', 'settings'])
        assert.equal(trust.verdict(server.replace(part, other), launch).kind, 'new');
    await trust.revoke(server);
    assert.equal(trust.verdict(server, launch).kind, 'new');
  });

  it('asks again with every difference when the definition changes', async () => {
    const { trust, kept } = withStore();
    await trust.record(server, launch);
    assert.ok(!JSON.stringify([...kept]).includes('pa55word'));
    const changed: ServerLaunch = {
      ...launch,
      args: ['-y', 'db@2', 'a b'],
      envFile: '.env',
      env: { TOKEN: 'new pa55word', NODE_OPTIONS: '-r ./y.js' },
    };
    const verdict = trust.verdict(server, changed);
    assert.ok(verdict.kind === 'changed');
    const [secret] = verdict.changes.splice(2, 1);
    assert.deepEqual(verdict.changes, [
      { field: 'command', before: "npx -y db@1 'a b'", after: "npx -y db@2 'a b'" },
      { field: 'envFile', after: '.env' },
      { field: 'env.NODE_OPTIONS', before: '"-r ./x.js"', after: '"-r ./y.js"' },
    ]);
    const told = `${secret?.field} ${secret?.before} ${secret?.after}`;
    assert.match(told, /^env\.TOKEN #[0-9a-f]{8} #[0-9a-f]{8}$/);
  });

  it('starts and asks nothing in a workspace that is not trusted', async () => {
    const { trust } = withStore(false);
    await trust.record(server, launch);
    assert.deepEqual(trust.verdict(server, launch), { kind: 'restricted' });
  });
});
