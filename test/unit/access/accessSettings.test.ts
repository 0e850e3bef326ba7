import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join, normalize } from 'node:path';
import { readAccessSettings } from '../../../src/access/accessSettings.ts';
import { AccessInputs } from '../../../src/access/policyInputs.ts';
import { FakeVscode } from '../../fakes/vscode.ts';

const ALL = ['read', 'edit', 'delete', 'run', 'command', 'server'];

type Scopes = Partial<Record<'user' | 'remote' | 'workspace' | 'folder', unknown>>;

const read = (key: string, { user, remote, workspace, folder }: Scopes) => {
  const name = `workspaceMcp.access.${key}`;
  const fake = FakeVscode.create({
    folders: ['/ws'],
    user: { [name]: user },
    remote: { [name]: remote },
    workspace: { [name]: workspace },
    folder: { [name]: folder },
  });
  const uri = fake.api.workspace.workspaceFolders?.[0]?.uri;
  return readAccessSettings(fake.api.workspace, uri)[key as 'maxFileSize'];
};

describe('access/accessSettings', () => {
  const cases: [string, string, Scopes, unknown][] = [
    ['allowedPaths', "are the person's", { user: ['/a', '/b'] }, ['/a', '/b']],
    ['allowedPaths', 'cannot be added to', { user: ['/a'], workspace: ['/a', '/etc'] }, ['/a']],
    ['allowedPaths', 'cannot be set by a folder', { folder: ['/etc'] }, []],
    ['allowedPaths', 'can be taken away', { user: ['/a', '/b'], workspace: ['/a'], folder: [] }, []],
    ['deniedPaths', 'add up', { user: ['a'], workspace: ['b'], folder: ['c'] }, ['a', 'b', 'c']],
    ['deniedPaths', 'cannot be taken away', { user: ['a'], workspace: [], folder: [] }, ['a']],
    ['guardedPaths', 'add up', { user: ['a'], workspace: ['b'], folder: ['c'] }, ['a', 'b', 'c']],
    ['deniedPaths', 'take a glob without a list', { user: 'a', workspace: ['b', 7] }, ['a', 'b']],
    ['allowedPaths', 'take no path without a list', { user: '/a' }, []],
    ['maxFileSize', 'can be lowered', { user: 5000, workspace: 3000, folder: 4000 }, 3000],
    ['maxFileSize', 'cannot be raised', { user: 5000, workspace: 9e9, folder: 9e9 }, 5000],
    ['maxFileSize', 'takes a number that is a text', { user: '5000' }, 5000],
    ['maxFileSize', 'is none where it is nonsense', { user: 5000, workspace: 'much' }, 0],
    ['redact', 'can be added to', { user: ['a'], workspace: ['b'], folder: ['c'] }, ['a', 'b', 'c']],
    ['redact', 'is what it looks like where it is no text', { user: [12], workspace: 'b' }, ['12', 'b']],
    ['maxFileSize', 'is none where it is negative', { user: -1 }, 0],
    ['allowedOperations', 'are all by default', {}, ALL],
    ['allowedOperations', 'cannot be added to', { user: ['read'], workspace: ALL, folder: ALL }, ['read']],
    ['allowedOperations', 'can be taken away', { workspace: ['read'], folder: ['read', 'run'] }, ['read']],
    ['allowedOperations', 'are none where it is nonsense', { user: 7 }, []],
    ['allowedOperations', 'are those that are true', { user: { read: true, edit: false } }, ['read']],
    ['allowedOperations', 'are not set by null', { workspace: null }, ALL],
    ['deniedPaths', 'of the local settings hold remotely', { user: ['a'], remote: ['b'] }, ['b', 'a']],
    ['redact', 'of the local settings holds on a remote machine', { user: ['a'], remote: [] }, ['a']],
    ['allowedOperations', 'stay off on a remote machine', { user: ['read'], remote: ALL }, ['read']],
    ['allowedPaths', 'are those of the remote machine', { user: ['/a'], remote: ['/b'] }, ['/b']],
    ['deniedPaths', 'take globs that are true', { user: { '**/x': true, y: false } }, ['**/x']],
  ];
  for (const [key, what, scopes, expected] of cases)
    it(`${key} ${what}`, () => assert.deepEqual(read(key, scopes), expected));

  it('takes ~ for the home directory, and leaves out allowed paths that are not absolute', () => {
    const user = {
      'workspaceMcp.access.allowedPaths': ['~/sdk', 'relative', '~other/x', '/opt/x'],
      'workspaceMcp.access.deniedPaths': ['~/ws/private', '**/x'],
    };
    const world = new AccessInputs(FakeVscode.create({ folders: ['/ws'], user }).api);
    const { allowedPaths, deniedPaths } = world.rules.settings;
    assert.deepEqual(allowedPaths, [join(homedir(), 'sdk'), '/opt/x']);
    assert.deepEqual(deniedPaths, [join(homedir(), 'ws/private'), '**/x']);
  });

  it('reads anew what the person changes', () => {
    const fake = FakeVscode.create({ folders: ['/ws'] });
    const world = new AccessInputs(fake.api);
    assert.equal(world.rules.settings.maxFileSize, 10 * 1024 * 1024);
    fake.person.sets('workspaceMcp.access.maxFileSize', 2048);
    const seen = [world.rules.settings.maxFileSize, world.rules.folders[0]?.settings.maxFileSize];
    assert.deepEqual(seen, [2048, 2048]);
    fake.person.opensFolders(['/a', '/b']);
    const allPaths = world.rules.folders.map(({ path }) => path);
    assert.deepEqual(allPaths, ['/a', '/b'].map(normalize));
    world.dispose();
    assert.equal(fake.listeners, 0);
  });
});
