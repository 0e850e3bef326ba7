import assert from 'node:assert/strict';
import { getSettings } from '../../../../src/features/vscode/getSettings.ts';
import { Uri } from '../../../fakes/values.ts';
import { cleanUp, openWindow, textsOf } from '../window.ts';

const KNOWN = {
  'shop.size': { description: 'How  large.', enum: [1, 2] },
  'shop.token': {},
  'shop.names': {},
  'workspaceMcp.access.redact': {},
};

function openShop(scopes: object = {}) {
  const window = openWindow({ 'a.txt': 'a', 'closed/b.txt': 'b' }, scopes);
  window.fake.answers.set('_getAllSettings', () => KNOWN);
  return { ...window, told: async (args: object) => textsOf(await window.run(getSettings, args)).join('\n') };
}

describe('features/vscode/getSettings', () => {
  afterEach(cleanUp);

  it('takes a name that every object has for a setting that there is not', async () => {
    const window = openWindow({});
    for (const query of ['hasOwnProperty', 'constructor'])
      assert.match(textsOf(await window.run(getSettings, { query }))[0] ?? '', /No setting has/);
  });

  it('tells value, source and description', async () => {
    const { told } = openShop({ user: { 'shop.size': 1 }, workspace: { 'shop.size': 2 } });
    const shown = await told({ query: 'shop.size' });
    assert.equal(shown, 'shop.size: 2 (workspace; default undefined)\n  How large. One of [1,2].');
    assert.equal(await told({ query: 'files.encoding' }), 'files.encoding: "utf8" (default)');
  });

  it('finds by words and lists of names, and says if there is none', async () => {
    const { told } = openShop({ user: { 'shop.size': 1, 'shop.names': { a: 1 }, 'gone.x': true } });
    assert.match(await told({ query: 'shop' }), /^shop\.names: \{"a":1\} \(user\)\nshop\.size: 1/);
    assert.match(await told({ query: 'gone.x, shop.size' }), /^gone\.x: true \(user; .*\nshop\.size/);
    assert.match(await told({ query: 'nothing' }), /No setting has/);
  });

  it('is of a folder for a path, which may not be closed', async () => {
    const denied = { 'workspaceMcp.access.deniedPaths': ['closed/**'] };
    const { told } = openShop({ user: { 'shop.size': 1, ...denied }, folder: { 'shop.size': 2 } });
    assert.match(await told({ query: 'shop.size', path: 'a.txt' }), /shop\.size: 2 \(folder;/);
    assert.match(await told({ query: 'shop.size' }), /shop\.size: 1 \(user;/);
    await assert.rejects(told({ query: 'shop.size', path: 'closed/b.txt' }), /denied/);
  });

  it('redacts secrets, by name, looks and pattern', async () => {
    const { told } = openShop({
      user: {
        'shop.token': 'abc',
        'shop.names': { url: 'http://me:pw@x', env: { A: 'b' }, say: 'hunter22' },
        'workspaceMcp.access.redact': ['hunter\\d+'],
      },
    });
    const all = await told({ query: 'shop' });
    assert.doesNotMatch(all, /abc|pw|"b"|hunter/);
    assert.match(all, /shop\.token: "\[redacted\]" \(user/);
  });

  it('tells nothing of the rules for agents', async () => {
    const { told } = openShop({ user: { 'workspaceMcp.access.redact': ['hunter\\d+'] } });
    for (const query of ['workspaceMcp.access.redact', 'redact', 'workspaceMcp', 'workspaceMcp.access'])
      assert.match(await told({ query }), /No setting has/);
  });

  describe('tells nothing that is set in a closed file', () => {
    const denying = (...deniedPaths: string[]) => ({
      user: { 'shop.size': 1, 'workspaceMcp.access.deniedPaths': deniedPaths },
      workspace: { 'shop.size': 2, launch: { configurations: [] }, tasks: {}, 'mcp.servers': {} },
    });
    const closed = async (scopes: object) => {
      const { told } = openShop(scopes);
      const all = (await told({ query: 'shop.size, launch, tasks, mcp.servers' })).split('\n');
      return all.filter((line) => line.includes('closed to you')).map((line) => line.split(':')[0]);
    };

    it('of the only folder', async () => {
      assert.deepEqual(await closed(denying('.vscode/**')), ['shop.size', 'launch', 'tasks', 'mcp.servers']);
      assert.deepEqual(await closed(denying('.vscode/settings.json')), [
        'shop.size',
        'launch',
        'tasks',
        'mcp.servers',
      ]);
      assert.deepEqual(await closed(denying('.vscode/launch.json')), ['launch']);
      assert.deepEqual(await closed(denying('tasks.json', 'mcp.json')), ['tasks', 'mcp.servers']);
      assert.deepEqual(await closed(denying('package.json')), []);
    });

    it('of a workspace, wherever that is', async () => {
      const workspaceFile = Uri.file('/elsewhere/own.code-workspace');
      const in_ = (...denied: string[]) => closed({ ...denying(...denied), workspaceFile });
      assert.deepEqual(await in_('*.code-workspace'), ['shop.size', 'launch', 'tasks', 'mcp.servers']);
      assert.deepEqual(await in_('.vscode/**'), []);
      const roots = { ...denying(), workspaceFile, roots: ['/elsewhere/other'] };
      assert.deepEqual(await closed(roots), ['shop.size', 'launch', 'tasks', 'mcp.servers']);
    });

    it('of a folder', async () => {
      const { told } = openShop({ ...denying('.vscode/settings.json'), folder: { 'shop.size': 3 } });
      assert.match(await told({ query: 'shop.size', path: 'a.txt' }), /^shop\.size: closed to you/);
    });
  });
});
