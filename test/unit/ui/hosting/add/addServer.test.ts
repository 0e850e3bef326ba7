// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of definitions
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { itemsOf } from '../../../../../src/core/json.ts';
import { serversOfOtherClients } from '../../../../../src/hosting/config/sources.ts';
import { withoutSecrets } from '../../../../../src/ui/hosting/add/secrets.ts';
import { Emitter } from '../../../../fakes/emitter.ts';
import { english } from '../../../hosting/english.ts';
import { cleanUp, folderWith } from '../../../workspace/openWindow.ts';

const { commandOf, nameOfCommand, nameOfUrl } = await import(
  '../../../../../src/ui/hosting/add/askForServer.ts'
);
const { addServer, runningInFolder } = await import('../../../../../src/ui/hosting/add/addServer.ts');
const { window, workspace } = await import('vscode');
const { withTool } = await import('../../../../../src/ui/hosting/definitions.ts');

/** A list that the user types into and chooses from. */
function picker() {
  const changes = new Emitter<string>();
  const accepts = new Emitter<void>();
  const api = {
    items: [] as { label: string }[],
    selectedItems: [] as { label: string }[],
    onDidChangeValue: changes.event,
    onDidAccept: accepts.event,
    onDidHide: new Emitter<void>().event,
    show() {},
    hide() {},
    dispose() {},
  };
  return {
    api,
    types: (value: string) => changes.fire(value),
    accepts(part: string) {
      api.selectedItems = api.items.filter(({ label }) => label.includes(part));
      accepts.fire();
    },
  };
}

describe('ui/hosting/add/addServer: a server that the user adds', () => {
  afterEach(cleanUp);

  it('has the words of its command line', () => {
    for (const [line, command, ...args] of [
      [`node 'my server.js' --a="b \\"c\\"" d\\ e ''`, 'node', 'my server.js', '--a=b "c"', 'd e', ''],
      ['C:\\tools\\x.exe C:\\a', 'C:\\tools\\x.exe', 'C:\\a'],
    ])
      assert.partialDeepStrictEqual(commandOf(line ?? ''), { command, args });
    const withEnv = { env: { A: '1', B: 'x y' }, command: 'node', args: ['a=b'] };
    assert.deepEqual(commandOf('A=1 B="x y" node a=b'), withEnv);
    for (const none of ['A=1', ' ']) assert.equal(commandOf(none), undefined);
  });

  it('is called as its program or host', () => {
    for (const [line, name] of [
      ['npx -y @modelcontextprotocol/server-filesystem@2026.1.1 .', 'filesystem'],
      ['node build/my-db.js', 'my-db'],
      ['/usr/bin/github-mcp-server stdio', 'github'],
      ['npx -y server', 'server'],
      ['https://mcp.example.com/x', 'example'],
      ['http://localhost:3000', 'localhost'],
      ['http://127.0.0.1:3000/mcp', '127.0.0.1'],
    ] as const) {
      const { command = '', args = [] } = commandOf(line) ?? {};
      assert.equal(line.startsWith('http') ? nameOfUrl(line) : nameOfCommand(command, args), name);
    }
  });

  it('means the workspace folder, as in a terminal there, although it runs in the home directory', () => {
    const folder = folderWith({ 'server.js': '' });
    const there = '${workspaceFolder}';
    for (const [line, cwd, expected] of [
      ['node server.js --stdio', there, 'server.js --stdio'],
      ['node server', there, 'server'],
      ['./run.sh', there, ''],
      ['npm run mcp', there, 'run mcp'],
      ['docker run -v .:/data x', there, 'run -v .:/data x'],
      ['node other.js /a/b', undefined, 'other.js /a/b'],
      ['npx -y server.js . --in=../b ./c', undefined, `-y server.js ${there} --in=${there}/../b ${there}/c`],
    ]) {
      const { command, args } = commandOf(line ?? '') ?? {};
      const added = runningInFolder({ command, args }, folder);
      assert.deepEqual([added.cwd, itemsOf(added.args).join(' ')], [cwd, expected]);
    }
    const own = { command: 'node', args: ['server.js'], cwd: '/a' };
    assert.deepEqual(runningInFolder(own, folder), own);
    assert.deepEqual(runningInFolder({ command: './run.sh' }, undefined), { command: './run.sh' });
  });

  it('has no secrets in its definition', () => {
    const secret = `ghp_${'x'.repeat(20)}`;
    const given = (key: string, token: string, last: string, GITHUB_PAT: string) => ({
      command: 'node',
      args: ['a.js', `--api-key=${key}`, '--token', token, '--port', '3000', last],
      env: { GITHUB_PAT, NODE_ENV: 'production', TOKEN: '${env:TOKEN}' },
    });
    assert.deepEqual(withoutSecrets(given('k1', 'k2', secret, 'k3')), {
      definition: given('${input:api-key}', '${input:token}', '${input:secret}', '${input:GITHUB_PAT}'),
      secrets: { 'api-key': 'k1', token: 'k2', secret, GITHUB_PAT: 'k3' },
    });
    const connected = (...[url, pass, MYSQL_PWD]: [string, string, string]) => ({
      args: ['run', '-e', pass, 'node:22'],
      env: { DATABASE: url, MYSQL_PWD, HEADERS_FILE: '/a/b' },
    });
    const url = 'postgres://me:pw@host/db';
    const inputs = connected('${input:DATABASE}', '${input:e}', '${input:MYSQL_PWD}');
    assert.deepEqual(withoutSecrets(connected(url, 'DB_PASSWORD=x', 'k6')), {
      definition: inputs,
      secrets: { e: 'DB_PASSWORD=x', DATABASE: url, MYSQL_PWD: 'k6' },
    });
    const remote = (key: string, auth: string) => ({
      url: `https://h/mcp?key=${key}&x=1`,
      headers: { Authorization: `Bearer ${auth}`, Accept: 'a' },
    });
    assert.deepEqual(withoutSecrets(remote('k4', 'k5')), {
      definition: remote('${input:key}', '${input:Authorization}'),
      secrets: { key: 'k4', Authorization: 'k5' },
    });
    assert.deepEqual(withoutSecrets({ env: { token: 'a1' }, args: ['--token=b2'] }), {
      definition: { env: { token: '${input:token-2}' }, args: ['--token=${input:token}'] },
      secrets: { token: 'b2', 'token-2': 'a1' }, // two of one name are kept apart
    });
  });

  it('comes from another client, in the shape of the setting', async () => {
    const own = { command: 'node', args: ['/x/workspace-mcp/dist/shim.js'] };
    const mcpServers = { db: { command: 'db', disabled: true }, own, bad: {} };
    const home = folderWith({ '.cursor/mcp.json': JSON.stringify({ mcpServers }), '.claude.json': '{' });
    const place = { client: 'Cursor', file: join(home, '.cursor', 'mcp.json') };
    const missing = { path: ['command'], message: 'missing', position: { line: 1, column: 126 } };
    assert.deepEqual(
      await serversOfOtherClients({ platform: process.platform, env: {}, home, l10n: english }),
      [
        { ...place, name: 'db', definition: { command: 'db' } },
        { ...place, name: 'bad', definition: {}, problems: [missing] },
      ],
    );
  });

  it('comes from another client with the type of the setting; one that cannot be used, with the reason', async () => {
    const url = 'https://a.org';
    const given = {
      cline: { type: 'streamableHttp', url },
      windsurf: { transport: 'streamable_http', serverUrl: url },
      older: { transportType: 'sse', url },
      odd: { type: 'ws', url },
      text: 'x',
    };
    const home = folderWith({ '.cursor/mcp.json': JSON.stringify({ mcpServers: given }, null, 1) });
    const found = await serversOfOtherClients({ platform: process.platform, env: {}, home, l10n: english });
    assert.deepEqual(
      found.map(({ name, definition, problems = [] }) => [
        ...[name, definition.type],
        ...problems.map(({ path, message, position }) => `${position?.line} ${path}: ${message}`),
      ]),
      [
        ...[
          ['cline', 'http'],
          ['windsurf', 'http'],
          ['older', 'sse'],
        ],
        ['odd', 'ws', '16 type: must be one of: "http", "sse"'],
        ['text', undefined, '19 : must be of type object'],
      ],
    );
  });

  it('is listed with the reason if it cannot be used, and not added', async () => {
    const listed: { label: string; description: string; detail?: string }[] = [];
    const picks = ['warning'];
    const pick = async (items: readonly (typeof listed)[number][]) => {
      listed.splice(0, listed.length, ...items);
      const wanted = picks.shift() ?? '';
      return items.find(({ label }) => label.includes(wanted));
    };
    const ways = picker();
    Object.assign(window, { showQuickPick: pick, createQuickPick: () => ways.api });
    Object.assign(workspace, { isTrusted: true });
    const problems = [{ path: ['type'], message: 'is wrong', position: { line: 3, column: 1 } }];
    const source = { kind: 'user', file: '/mcp.json' };
    const hosting = {
      found: [
        { name: 'broken', source, found: { problems } },
        { name: 'denied', source, found: {}, forbidden: 'Your organization forbids it.' },
        { name: 'of the setting', source: { kind: 'settings' }, found: { problems } },
      ],
      ofOtherClients: async () => [
        { client: 'Cursor', file: '/c.json', name: 'odd', definition: {}, problems },
      ],
    };
    const adding = addServer({ hosting } as never);
    ways.accepts('folder-opened');
    await assert.rejects(adding, /^Error: type: is wrong$/);
    const reason = 'type: is wrong';
    assert.deepEqual(
      listed.map(({ label, description, detail }) => [label, description, detail]),
      [
        ['$(warning) broken', 'your own file /mcp.json', reason],
        ['$(warning) denied', 'your own file /mcp.json', 'Your organization forbids it.'],
        ['$(warning) odd', 'Cursor: /c.json:3', reason],
      ],
    );
    for (const name of ['showQuickPick', 'createQuickPick']) Reflect.deleteProperty(window, name);
    Reflect.deleteProperty(workspace, 'isTrusted');
  });

  it('may be pasted into the list of ways', async () => {
    const boxes: string[] = [];
    Object.assign(workspace, { isTrusted: true });
    for (const typed of ['npx -y pkg', 'https://example.com/mcp']) {
      const ways = picker();
      const showInputBox = async ({ value }: { value: string }) => void boxes.push(value);
      Object.assign(window, { createQuickPick: () => ways.api, showInputBox });
      const adding = addServer({ hosting: {} } as never);
      ways.types(typed);
      ways.accepts(typed);
      await adding;
    }
    assert.deepEqual(boxes, ['npx -y pkg', 'https://example.com/mcp']);
    for (const name of ['showInputBox', 'createQuickPick']) Reflect.deleteProperty(window, name);
    Reflect.deleteProperty(workspace, 'isTrusted');
  });

  it('has tools that are switched off by name, but not those that a pattern switches off', () => {
    const off = withTool({ command: 'x', tools: { allow: ['a*'] } }, 'add', false);
    assert.deepEqual(off, { command: 'x', tools: { allow: ['a*'], deny: ['add'] } });
    assert.deepEqual(withTool(off ?? {}, 'add', true), { command: 'x', tools: { allow: ['a*'], deny: [] } });
    assert.equal(withTool({ tools: { deny: ['*'] } }, 'add', true), undefined);
  });
});
