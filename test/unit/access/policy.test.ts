import assert from 'node:assert/strict';
import { AccessRules, type PolicyFolder } from '../../../src/access/accessRules.ts';
import type { AccessSettings } from '../../../src/access/accessSettings.ts';
import { agentPolicy, type Policy } from '../../../src/access/policy.ts';
import { UserError } from '../../../src/core/errors.ts';

const open: AccessSettings = {
  allowedPaths: [],
  deniedPaths: [],
  guardedPaths: [],
  maxFileSize: 1000,
  redact: [],
  allowedOperations: ['read', 'edit', 'delete', 'run', 'command', 'server'],
};

const folder = (path: string, settings: Partial<AccessSettings> = {}, realPath = path): PolicyFolder => ({
  path,
  realPath,
  settings: { ...open, ...settings },
});

/** The URI of a folder on no disk. */
const VIRTUAL = 'vscode-vfs://github/ws';

interface Case {
  folders?: PolicyFolder[];
  settings?: Partial<AccessSettings>;
  isTrusted?: boolean;
  clientRoots?: string[];
  platform?: NodeJS.Platform;
}

const policyOf = ({
  folders = [folder('/ws')],
  settings,
  isTrusted = true,
  clientRoots,
  platform = 'linux',
}: Case) =>
  agentPolicy(
    {
      rules: new AccessRules({ folders, settings: { ...open, ...settings }, isTrusted }, platform),
      editorData: ['/ws/.data'],
      git: { holds: () => false, key: '' },
      serverOf: (path) => (path === '/ws/server.mjs' ? 'db' : undefined),
      platform,
    },
    { paths: clientRoots },
  );

const lets = (run: () => void): boolean => {
  try {
    run();
    return true;
  } catch (error) {
    assert.ok(error instanceof UserError, `${error}`);
    return false;
  }
};

const opens = (world: Case, path: string): boolean => lets(() => policyOf(world).requireNamed(path));

/** A world with one folder, in which these paths are denied. */
const inFolder = (path: string, ...deniedPaths: string[]): Case => ({
  folders: [folder(path, { deniedPaths })],
});

/** Whether a policy lets paths be read, each of a name and what it leads to. */
const letsRead = (policy: Policy, ...paths: [name: string, real: string][]): boolean[] =>
  paths.map(([name, real]) => lets(() => policy.requireReal(name, real)));

describe('access/policy: names', () => {
  const allowing = (allowedPaths: string[], deniedPaths: string[] = []): Case => ({
    settings: { allowedPaths, deniedPaths },
  });
  const denies = (...deniedPaths: string[]) => inFolder('/ws', ...deniedPaths);
  const nested = [folder('/ws', { deniedPaths: ['sub/a.ts'] }), folder('/ws/sub')];
  const linked = folder('/link', { deniedPaths: ['x'] }, '/real');
  const cases: [string, string, boolean, Case?][] = [
    ['a file in the folder', '/ws/src/a.ts', true],
    ['a sibling whose name begins alike', '/ws2/a.ts', false],
    ['nothing without folders', '/ws/a.ts', false, { folders: [] }],
    ['an allowed path outside', '/opt/sdk/x.h', true, allowing(['/opt/sdk'])],
    ['what VS Code keeps for itself', '/ws/.data/Machine/settings.json', false],
    ['a secret on an allowed path', '/opt/sdk/.env', false, allowing(['/opt/sdk'])],
    ['a denied path outside', '/opt/a/x', false, allowing(['/opt'], ['/opt/a'])],
    ['a denied name at the root', '/etc/hosts', false, inFolder('/', 'etc/hosts')],
    ['a denied folder', '/ws/private/deep/a.ts', false, denies('private')],
    ['a denied name in another case', '/ws/PRIVATE/a.ts', false, denies('Private')],
    [
      'a denied name in letters that some disks take for others',
      '/ws/pa\u017f\u017f/a',
      false,
      denies('pass'),
    ],
    ['a glob at any depth', '/ws/a/b/c.secret', false, denies('**/*.secret')],
    ['an absolute glob', '/ws/a/b.ts', false, denies('/ws/a/**')],
    ['a glob that begins with #', '/ws/#notes/a.md', false, denies('#notes')],
    ['a glob that begins with !', '/ws/a.md', true, denies('!keep.md')],
    ['a hidden file', '/ws/x/.hidden', false, denies('x/**')],
    ['a name at any depth', '/ws/a/locked/p.ts', false, denies('locked/')],
    ['a folder of which all is denied', '/ws/a/x', false, denies('**/x/**')],
    ['a file beside folders of which all is denied', '/ws/x.ts', true, denies('*/**')],
    ['what an outer folder denies of a nested one', '/ws/sub/a.ts', false, { folders: nested }],
    ['a glob against the real name', '/real/x/a', false, { folders: [linked] }],
    ['a virtual folder', `${VIRTUAL}/a.ts`, true, inFolder(VIRTUAL)],
    ['a denied path in one', `${VIRTUAL}/private/a.ts`, false, inFolder(VIRTUAL, 'private/**')],
    ['the disk at a virtual path', '/ws/a.ts', false, inFolder(VIRTUAL)],
  ];
  for (const [what, path, expected, world = {}] of cases)
    it(`${expected ? 'opens' : 'closes'} ${what}`, () => {
      assert.equal(opens(world, path), expected);
      if (!expected) assert.equal(policyOf(world).mayList(path), false);
    });
});

describe('access/policy: real paths, operations and sizes', () => {
  it('closes what a link in the folder leads to outside, and secrets by their real name', () =>
    assert.deepEqual(
      letsRead(
        policyOf({}),
        ['/ws/link', '/etc/passwd'],
        ['/ws/harmless.txt', '/ws/.env'],
        ['/ws/link', '/ws/src/a.ts'],
      ),
      [false, false, true],
    ));

  it('takes the target of a folder that was opened through a link for the folder', () => {
    const policy = policyOf({ folders: [folder('/link', {}, '/data/ws')] });
    assert.deepEqual(letsRead(policy, ['/link/a', '/data/ws/a'], ['/link/a', '/link/a']), [true, false]);
    assert.ok(!policyOf({ folders: [folder('/link', {}, '/home/me/.ssh')] }).mayList('/link/config'));
  });

  it("narrows reading and listing by a client's roots, and never widens", () => {
    const world = { folders: [folder('/link', {}, '/ws')], clientRoots: ['/ws/a', '/elsewhere'] };
    const policy = policyOf(world);
    assert.deepEqual(
      letsRead(policy, ['/link/a/x', '/ws/a/x'], ['/link/b/x', '/ws/b/x'], ['/elsewhere/x', '/elsewhere/x']),
      [true, false, false],
    );
    assert.deepEqual([policy.mayList('/link/a/x'), policy.mayList('/link/b/x')], [true, false]);
    assert.ok(!lets(() => policy.requireNamed('/elsewhere/x')));
    const virtual = policyOf({ ...world, ...inFolder(VIRTUAL) });
    assert.equal(virtual.mayList(`${VIRTUAL}/a`), false, 'no root on a disk names it');
  });

  it('allows only reading without trust, and what every folder allows', () => {
    const folders = [folder('/a'), folder('/b', { allowedOperations: ['read', 'run'] })];
    const allowed = (world: Case) =>
      open.allowedOperations.filter((one) => lets(() => policyOf(world).requireOperation(one)));
    assert.deepEqual(allowed({ isTrusted: false }), ['read']);
    assert.deepEqual(allowed({ folders }), ['read', 'run']);
  });

  it('takes the smallest size of nested folders, and the own one outside', () => {
    const folders = [folder('/ws', { maxFileSize: 10 }), folder('/ws/sub', { maxFileSize: 500 })];
    const policy = policyOf({ folders });
    const shown = ['/ws/sub/a', '/ws/a', '/x'].map((path) => policy.maxFileSize(path));
    assert.deepEqual(shown, [10, 10, 1000]);
    assert.equal(policy.maxFileSize('/x', '/ws/a'), 10, 'by each of its names');
  });
});

describe('access/policy: Windows and macOS', () => {
  const windows: Case = { platform: 'win32', ...inFolder('c:\\ws', 'Private\\**', 'C:\\ws\\x') };
  const virtual: Case = { platform: 'win32', ...inFolder(VIRTUAL) };
  const mac: Case = {
    platform: 'darwin',
    ...inFolder('/Users/me/ws', 'gr\u00fcn/**', '/Users/me/ws/bl\u00e4u'),
  };
  const cases: [string, string, boolean, Case][] = [
    ['any case and slash', 'C:/WS/src\\A.ts', true, windows],
    ['a secret', 'C:\\ws\\sub\\.ENV', false, windows],
    ['.git', 'C:\\ws\\.Git\\hooks\\pre-commit', false, windows],
    ['a denied folder', 'C:\\ws\\PRIVATE\\a', false, windows],
    ['an absolute denied path', 'c:\\WS\\X\\a', false, windows],
    ['a stream', 'C:\\ws\\notes.txt:secret', false, windows],
    ['the main stream of a secret', 'C:\\ws\\.env::$DATA', false, windows],
    ['a device path', '\\\\?\\C:\\ws\\a.ts', false, windows],
    ['a device path by the other name', '\\\\.\\C:\\ws\\a.ts', false, windows],
    ['a dot at the end of a secret', 'C:\\ws\\id_rsa.', false, windows],
    ['a space at the end of a secret', 'C:\\ws\\id_rsa . ', false, windows],
    ['dots at the end of a folder', 'C:\\ws\\.ssh...\\known_hosts', false, windows],
    ['a dot at the end of a denied folder', 'C:\\ws\\private.\\a', false, windows],
    ['a device', 'C:\\ws\\sub\\NUL', false, windows],
    ['a device with an ending', 'C:\\ws\\com1.txt', false, windows],
    ['a device with a space', 'C:\\ws\\aux .c\\a', false, windows],
    ['the console', 'C:\\ws\\CONIN$', false, windows],
    ['a name that begins like a device', 'C:\\ws\\console.ts', true, windows],
    ['a name with dots in it', 'C:\\ws\\a..b .ts', true, windows],
    ['a virtual folder', `${VIRTUAL}/src/a.ts`, true, virtual],
    ['a secret in one', `${VIRTUAL}/.env`, false, virtual],
    ['any case', '/users/ME/WS/a.ts', true, mac],
    ['a decomposed name that is denied composed', '/Users/me/ws/gru\u0308n/a', false, mac],
    ['a fork', '/Users/me/ws/.env/..namedfork/data', false, mac],
    ['a secret with a character that is passed over', '/Users/me/ws/.g\u200cit/config', false, mac],
    ['a secret with a letter of the same name', '/Users/me/ws/.\u017f\u017fh/x', false, mac],
    ['a decomposed name by an absolute glob', '/Users/me/ws/bla\u0308u', false, mac],
  ];
  for (const [what, path, expected, world] of cases)
    it(`${world.platform}: ${expected ? 'opens' : 'closes'} ${what}`, () =>
      assert.equal(opens(world, path), expected));

  it('lists a file of a folder opened through a link by the roots of the target', () => {
    const folders = [folder('c:\\link', {}, 'D:\\data')];
    const policy = policyOf({ platform: 'win32', folders, clientRoots: ['d:\\DATA\\a'] });
    const shown = ['c:\\link\\A\\x', 'c:\\link\\b\\x'].map((path) => policy.mayList(path));
    assert.deepEqual(shown, [true, false]);
  });
});
