// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of definitions
import assert from 'node:assert/strict';
import type { ServerLaunch } from '../../../../src/hosting/config/definition.ts';
import { folderParts, trustPlace } from '../../../../src/hosting/config/place.ts';
import type { ServerSource } from '../../../../src/hosting/config/sources.ts';

const stdio = (more: object): ServerLaunch => ({
  type: 'stdio',
  command: 'node',
  args: [],
  env: {},
  ...more,
});
const remote = (url: string): ServerLaunch => ({ type: 'http', url, headers: {} });

describe('hosting/config/place', () => {
  it('names what makes a launch another one in another folder', () => {
    const partsOf = (more: object, platform: NodeJS.Platform = 'linux') => folderParts(stdio(more), platform);
    for (const alike of [{}, { cwd: '/a' }, { cwd: '~/a' }, { envFile: '${userHome}/.env' }])
      assert.deepEqual(partsOf({ args: ['a.js', '${userHome}', '${env:A}', '${input:b}'], ...alike }), []);
    assert.deepEqual(partsOf({ args: ['${workspaceFolder}/a.js', '${workspaceFolder:b}'], cwd: 'sub' }), [
      ...['${workspaceFolder}', '${workspaceFolder:b}'],
      'cwd',
    ]);
    assert.deepEqual(partsOf({ env: { A: '${workspaceFolder}' } }), ['${workspaceFolder}']);
    for (const open of ['.env', '${env:A}/.env', '~a/.env'])
      assert.deepEqual(partsOf({ envFile: open }), ['envFile']);
    assert.deepEqual(partsOf({ cwd: 'C:\\a', envFile: '\\a' }, 'win32'), ['envFile']);
    assert.deepEqual(folderParts(remote('https://a.org/${workspaceFolder}')), ['${workspaceFolder}']);
  });

  /** @param path of the folder of the window */
  function place(source: ServerSource, launch: ServerLaunch, path = '/ws', remoteName?: string): string {
    const uri = { fsPath: path, toString: () => `file://${path}` };
    const window = { workspace: { workspaceFolders: [{ uri }] }, env: { remoteName } };
    const found = { definition: { launch } };
    return trustPlace({ source, found } as never, window as never);
  }

  it('is the same in all folders for servers of the user that start alike, and no others', () => {
    const [settings, user] = [{ kind: 'settings' }, { kind: 'user', file: '/mcp.json' }] as const;
    const folder = { kind: 'folder', file: '/ws/.mcp.json', folder: { name: 'ws', path: '/ws' } } as const;
    for (const own of [settings, user]) {
      assert.equal(place(own, stdio({}), '/a'), place(own, stdio({}), '/b'));
      assert.equal(place(own, stdio({ cwd: 'x' }), '/a'), 'file:///a');
    }
    assert.equal(place(folder, stdio({})), 'file:///ws');
  });

  it('is the folder in a container, whose settings a repository can write, and differs by machine', () => {
    const inWindow = (remoteName?: string) => place({ kind: 'settings' }, stdio({}), '/ws', remoteName);
    for (const name of ['dev-container', 'codespaces', 'localhost:8080'])
      assert.equal(inWindow(name), 'file:///ws');
    assert.equal(new Set(['ssh-remote', 'wsl', undefined].map(inWindow)).size, 3);
  });
});
