import assert from 'node:assert/strict';
import type { AccessSettings } from '../../../src/access/accessSettings.ts';
import { Policy, type PolicyWorld } from '../../../src/access/policy.ts';
import type { PolicyFolder } from '../../../src/access/policyFolder.ts';
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

interface Case extends Partial<Omit<PolicyWorld, 'settings' | 'folders' | 'clientRoots' | 'isTrusted'>> {
  folders?: PolicyFolder[];
  settings?: Partial<AccessSettings>;
  isTrusted?: boolean;
  clientRoots?: string[];
}

const policyOf = ({
  folders = [folder('/ws')],
  settings,
  isTrusted = true,
  clientRoots,
  platform = 'linux',
}: Case) =>
  new Policy(
    {
      folders: () => folders,
      settings: () => ({ ...open, ...settings }),
      isTrusted: () => isTrusted,
      editorData: ['/ws/.data'],
      git: { holds: () => false, key: '' },
      serverOf: (path) => (path === '/ws/server.mjs' ? 'db' : undefined),
      platform,
    },
    () => clientRoots,
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

describe('access/policy: names', () => {
  const denies = (deniedPaths: string[]) => [folder('/ws', { deniedPaths })];
  const anyCase = [{ ...folder('/ws', { deniedPaths: ['private'] }), ignoresCase: true }];
  const cases: [string, string, boolean, Case?][] = [
    ['a file in the folder', '/ws/src/a.ts', true],
    ['the folder itself', '/ws', true],
    ['a sibling whose name begins alike', '/ws2/a.ts', false],
    ['what is above', '/', false],
    ['nothing without folders', '/ws/a.ts', false, { folders: [] }],
    ['an allowed path outside', '/opt/sdk/x.h', true, { settings: { allowedPaths: ['/opt/sdk'] } }],
    ['what VS Code keeps for itself', '/ws/.data/Machine/settings.json', false],
    ['the directory in which it does', '/ws/.data', false],
    ['a directory beside it', '/ws/.data2/a', true],
    ['a secret on an allowed path', '/opt/sdk/.env', false, { settings: { allowedPaths: ['/opt/sdk'] } }],
    [
      'a denied path outside',
      '/opt/a/x',
      false,
      { settings: { allowedPaths: ['/opt'], deniedPaths: ['/opt/a'] } },
    ],
    ['a folder opened at the root', '/etc/hosts', true, { folders: [folder('/')] }],
    [
      'a denied name at the root',
      '/etc/hosts',
      false,
      { folders: [folder('/', { deniedPaths: ['etc/hosts'] })] },
    ],
    ['a denied folder', '/ws/private/deep/a.ts', false, { folders: denies(['private']) }],
    ['a denied folder with a slash', '/ws/private/a.ts', false, { folders: denies(['private/']) }],
    ['another case on Linux', '/ws/Private/a.ts', true, { folders: denies(['private']) }],
    ['a glob at any depth', '/ws/a/b/c.secret', false, { folders: denies(['**/*.secret']) }],
    ['an absolute glob', '/ws/a/b.ts', false, { folders: denies(['/ws/a/**']) }],
    ['a glob that begins with #', '/ws/#notes/a.md', false, { folders: denies(['#notes']) }],
    ['a glob that begins with !', '/ws/a.md', true, { folders: denies(['!keep.md']) }],
    ['a hidden file', '/ws/x/.hidden', false, { folders: denies(['x/**']) }],
    ['a name at any depth', '/ws/a/locked/p.ts', false, { folders: denies(['locked/', '*.pem']) }],
    ['an end of a name at any depth', '/ws/a/key.pem', false, { folders: denies(['*.pem']) }],
    ['a path from the folder on only', '/ws/b/a/x', true, { folders: denies(['a/x']) }],
    ['a folder of which all is denied', '/ws/a/x', false, { folders: denies(['**/x/**']) }],
    ['a file beside folders of which all is denied', '/ws/x.ts', true, { folders: denies(['*/**']) }],
    [
      'what an outer folder denies of a nested one',
      '/ws/sub/a.ts',
      false,
      { folders: [...denies(['sub/a.ts']), folder('/ws/sub')] },
    ],
    [
      'a glob against the real name',
      '/real/x/a',
      false,
      { folders: [folder('/link', { deniedPaths: ['x'] }, '/real')] },
    ],
    [
      'a virtual folder',
      'vscode-vfs://github/ws/a.ts',
      true,
      { folders: [folder('vscode-vfs://github/ws')] },
    ],
    [
      'a denied path in a virtual folder',
      'vscode-vfs://github/ws/private/a.ts',
      false,
      { folders: [folder('vscode-vfs://github/ws', { deniedPaths: ['private/**'] })] },
    ],
    ['a denied name in any case where case does not count', '/ws/PRIVATE/a', false, { folders: anyCase }],
    ['the disk at a virtual path', '/ws/a.ts', false, { folders: [folder('vscode-vfs://github/ws')] }],
  ];
  for (const [what, path, expected, world = {}] of cases) {
    it(`${expected ? 'opens' : 'closes'} ${what}`, () => {
      assert.equal(
        lets(() => policyOf(world).requireNamed(path)),
        expected,
      );
      if (!expected) assert.equal(policyOf(world).mayList(path), false);
    });
  }
});

describe('access/policy: real paths', () => {
  it('closes what a link in the folder leads to outside, and secrets by their real name', () => {
    const policy = policyOf({});
    assert.equal(
      lets(() => policy.requireReal('/ws/link', '/etc/passwd')),
      false,
    );
    assert.equal(
      lets(() => policy.requireReal('/ws/harmless.txt', '/ws/.env')),
      false,
    );
    assert.equal(
      lets(() => policy.requireReal('/ws/link', '/ws/src/a.ts')),
      true,
    );
  });

  it('takes the target of a folder that was opened through a link for the folder', () => {
    const policy = policyOf({ folders: [folder('/link', {}, '/data/ws')] });
    assert.equal(
      lets(() => policy.requireReal('/link/a', '/data/ws/a')),
      true,
    );
    assert.equal(
      lets(() => policy.requireReal('/link/a', '/link/a')),
      false,
    );
  });

  it('does not list a folder whose target is closed', () => {
    assert.equal(
      policyOf({ folders: [folder('/link', {}, '/home/me/.ssh')] }).mayList('/link/config'),
      false,
    );
  });
});

describe("access/policy: a client's roots", () => {
  const world = { folders: [folder('/link', {}, '/ws')], clientRoots: ['/ws/a', '/elsewhere'] };

  it('narrow reading and listing', () => {
    const policy = policyOf(world);
    assert.equal(
      lets(() => policy.requireReal('/link/a/x', '/ws/a/x')),
      true,
    );
    assert.equal(
      lets(() => policy.requireReal('/link/b/x', '/ws/b/x')),
      false,
    );
    assert.deepEqual([policy.mayList('/link/a/x'), policy.mayList('/link/b/x')], [true, false]);
  });

  it('never widen', () => {
    assert.equal(
      lets(() => policyOf(world).requireNamed('/elsewhere/x')),
      false,
    );
    assert.equal(
      lets(() => policyOf(world).requireReal('/elsewhere/x', '/elsewhere/x')),
      false,
    );
  });

  it('close virtual folders, which no root on a disk names', () => {
    const path = 'vscode-vfs://github/ws';
    assert.equal(policyOf({ ...world, folders: [folder(path)] }).mayList(`${path}/a`), false);
  });
});

describe('access/policy: operations and sizes', () => {
  it('allows only reading without trust', () => {
    const policy = policyOf({ isTrusted: false });
    assert.deepEqual(
      (['read', 'edit', 'delete', 'run', 'command', 'server'] as const).map((one) =>
        lets(() => policy.requireOperation(one)),
      ),
      [true, false, false, false, false, false],
    );
  });

  it('takes an operation away where any folder does', () => {
    const policy = policyOf({ folders: [folder('/a'), folder('/b', { allowedOperations: ['read'] })] });
    assert.equal(
      lets(() => policy.requireOperation('edit')),
      false,
    );
    assert.equal(
      lets(() => policy.requireOperation('read')),
      true,
    );
  });

  it('lists nothing where reading is switched off', () => {
    assert.equal(policyOf({ settings: { allowedOperations: [] } }).mayList('/ws/a.ts'), false);
  });

  it('takes the smallest size of nested folders, and the own one outside', () => {
    const folders = [folder('/ws', { maxFileSize: 10 }), folder('/ws/sub', { maxFileSize: 500 })];
    const policy = policyOf({ folders });
    assert.deepEqual(
      ['/ws/sub/a', '/ws/a', '/x'].map((path) => policy.maxFileSize(path)),
      [10, 10, 1000],
    );
    assert.equal(policy.maxFileSize('/x', '/ws/a'), 10, 'by each of its names');
  });
});

describe('access/policy: Windows and macOS', () => {
  const virtual = 'vscode-vfs://github/ws';
  const windows: Case = {
    platform: 'win32',
    folders: [folder('c:\\ws', { deniedPaths: ['Private\\**', 'C:\\ws\\x'] })],
  };
  const mac: Case = {
    platform: 'darwin',
    folders: [folder('/Users/me/ws', { deniedPaths: ['gr\u00fcn/**', '/Users/me/ws/bl\u00e4u'] })],
  };
  const cases: [string, string, boolean, Case][] = [
    ['any case and slash', 'C:/WS/src\\A.ts', true, windows],
    ['a sibling', 'C:\\ws2\\a.ts', false, windows],
    ['another drive', 'D:\\ws\\a.ts', false, windows],
    ['a secret', 'C:\\ws\\sub\\.ENV', false, windows],
    ['.git', 'C:\\ws\\.Git\\hooks\\pre-commit', false, windows],
    ['a denied folder', 'C:\\ws\\PRIVATE\\a', false, windows],
    ['an absolute denied path', 'c:\\WS\\X\\a', false, windows],
    ['a stream', 'C:\\ws\\notes.txt:secret', false, windows],
    ['the main stream of a secret', 'C:\\ws\\.env::$DATA', false, windows],
    ['a device path', '\\\\?\\C:\\ws\\a.ts', false, windows],
    ['a share', '\\\\server\\share\\a', false, windows],
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
    ['a virtual folder', `${virtual}/src/a.ts`, true, { platform: 'win32', folders: [folder(virtual)] }],
    ['a secret in one', `${virtual}/.env`, false, { platform: 'win32', folders: [folder(virtual)] }],
    ['any case', '/users/ME/WS/a.ts', true, mac],
    ['a decomposed name that is denied composed', '/Users/me/ws/gru\u0308n/a', false, mac],
    ['a fork', '/Users/me/ws/.env/..namedfork/data', false, mac],
    ['a secret with a character that is passed over', '/Users/me/ws/.g\u200cit/config', false, mac],
    ['a secret with a letter of the same name', '/Users/me/ws/.\u017f\u017fh/x', false, mac],
    ['a decomposed name by an absolute glob', '/Users/me/ws/bla\u0308u', false, mac],
  ];
  for (const [what, path, expected, world] of cases) {
    it(`${world.platform}: ${expected ? 'opens' : 'closes'} ${what}`, () =>
      assert.equal(
        lets(() => policyOf(world).requireNamed(path)),
        expected,
      ));
  }

  it('lists a file of a folder opened through a link by the roots of the target', () => {
    const folders = [folder('c:\\link', {}, 'D:\\data')];
    const policy = policyOf({ platform: 'win32', folders, clientRoots: ['d:\\DATA\\a'] });
    assert.deepEqual(
      ['c:\\link\\A\\x', 'c:\\link\\b\\x'].map((path) => policy.mayList(path)),
      [true, false],
    );
  });
});
