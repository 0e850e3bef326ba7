// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fieldName } from '../../../../src/hosting/config/problems.ts';
import {
  type FoundServer,
  serversInFiles,
  serversInSettings,
  userServerFile,
} from '../../../../src/hosting/config/sources.ts';
import { FakeVscode } from '../../../fakes/vscode.ts';
import { useDirectory } from '../../../temporary.ts';

describe('hosting/config/sources', () => {
  const directory = useDirectory();

  const { api } = FakeVscode.create({ folders: [] });

  function write(name: string, text: string): void {
    mkdirSync(dirname(join(directory.path, name)), { recursive: true });
    writeFileSync(join(directory.path, name), text);
  }

  const found = (): Promise<FoundServer[]> =>
    serversInFiles([{ name: 'ws', path: directory.path }], join(directory.path, 'User/mcp.json'), api);

  const shown = ({ name, source, found: it }: FoundServer) => [
    name,
    source.kind,
    'definition' in it
      ? it.definition.launch
      : it.problems.map(
          ({ path, position: at, message }) => `${at?.line}:${at?.column} ${fieldName(path)} ${message}`,
        ),
  ];

  it('finds servers in all files, with comments, trailing commas and inputs', async () => {
    write('.mcp.json', '{ "mcpServers": { "a": { "command": "x" } } }');
    write(
      '.vscode/mcp.json',
      '\ufeff{ // team\n "inputs": [{ "type": "pickString", "id": "i", "options": ["1"] }, { "type": "command", "id": "c" }],\n "servers": { "a": { "url": "https://a.org", }, }, }',
    );
    write('User/mcp.json', '{ "servers": { "__proto__": { "command": "y" } } }');
    const rows = await found();
    const launch = { type: 'stdio', args: [], env: {} };
    assert.deepEqual(rows.map(shown), [
      ['__proto__', 'user', { ...launch, command: 'y' }],
      ['a', 'folder', { ...launch, command: 'x' }],
      ['a', 'folder', { type: 'http', url: 'https://a.org', headers: {} }],
    ]);
    const syntaxes = rows.map(({ syntax }) => syntax);
    assert.deepEqual(syntaxes, ['mcp.json', '.mcp.json', 'mcp.json']);
    assert.deepEqual(rows[2]?.inputs, [{ type: 'pickString', id: 'i', options: ['1'] }]);
  });

  it('leaves out our own entry, which is for an agent', async () => {
    const ours = { command: 'node', args: ['${HOME}/.workspace-mcp/shim.js'] };
    write('.mcp.json', JSON.stringify({ mcpServers: { 'workspace-mcp': ours } }));
    assert.deepEqual(await found(), []);
  });

  it('tells line and column of what is wrong', async () => {
    write('.mcp.json', '{\n  "mcpServers": { "a": }\n}');
    write(
      '.vscode/mcp.json',
      '{ "servers": {\r\n  "a": { "command": "x",\r\n    "args": [1] },\r\n  "b": {} } }',
    );
    assert.deepEqual((await found()).map(shown), [
      ['', 'folder', ['2:24  Not a valid JSON object: ValueExpected']],
      ['a', 'folder', ['3:14 args[0] must be of type string']],
      ['b', 'folder', ['4:8 command missing']],
    ]);
  });

  it('gives the sandbox of a file to its servers that ask for one', async () => {
    const sandbox = { network: { allowedDomains: ['a.org'] } };
    const servers = { a: { command: 'x', sandboxEnabled: true, sandbox: {} }, b: { command: 'x' } };
    write('.vscode/mcp.json', JSON.stringify({ servers, sandbox }));
    const launches = (await found()).map((one) => 'definition' in one.found && one.found.definition.launch);
    const plain = { type: 'stdio', command: 'x', args: [], env: {} };
    assert.deepEqual(launches, [{ ...plain, sandboxEnabled: true, sandbox }, plain]);
  });

  it('survives hostile files', async () => {
    write('.mcp.json', `{"mcpServers":${'['.repeat(500_000)}`);
    write('.vscode/mcp.json', ' '.repeat(1024 * 1024 + 1));
    mkdirSync(join(directory.path, 'User/mcp.json'), { recursive: true });
    const [folder, deep, long] = (await found()).map(shown);
    assert.match(`${deep}`, /Not a valid JSON object/);
    assert.match(`${long}`, /Cannot be read: not a file of at most 1048576 bytes/);
    assert.match(`${folder}`, /Cannot be read/);
  });

  it('reads the setting of the user, never that of a repository', () => {
    const window = FakeVscode.create({
      folders: [],
      user: { 'workspaceMcp.servers': { a: { command: 'x', keepAlive: true }, b: 1 } },
      workspace: { 'workspaceMcp.servers': { c: { command: 'evil' } } },
      folder: { 'workspaceMcp.servers': { d: { command: 'evil' } } },
    });
    const rows = serversInSettings(window.api);
    assert.deepEqual(rows.map(shown), [
      ['a', 'settings', { type: 'stdio', command: 'x', args: [], env: {} }],
      ['b', 'settings', ['undefined:undefined  must be of type object']],
    ]);
  });

  it('knows the mcp.json of a profile', () => {
    for (const directory of [join('/d', 'User'), join('/d', 'User', 'profiles', 'p')])
      assert.equal(userServerFile(join(directory, 'globalStorage', 'x')), join(directory, 'mcp.json'));
  });
});
