import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentPolicy } from '../../../../src/access/policy.ts';
import { UserError } from '../../../../src/core/errors.ts';
import { isStill, readDisk } from '../../../../src/workspace/read/diskFile.ts';
import { locate } from '../../../../src/workspace/read/locate.ts';
import { AgentPlace } from '../../../../src/workspace/read/location.ts';
import { itWithLinks } from '../../../temporary.ts';
import { cleanUp, folderWith, openWindow, write } from '../openWindow.ts';

/** A file that was judged and opened, as an edit has it while the user is asked. */
async function opened(path: string, tree: Record<string, string>) {
  const ws = folderWith(tree);
  const { fake, window } = openWindow({ folders: [ws] });
  const roots: { paths: readonly string[] | undefined } = { paths: undefined };
  const [policy, place] = [agentPolicy(window.inputs, roots), new AgentPlace(window.inputs, roots)];
  const locator = { vscode: fake.api, inputs: window.inputs, policy, place };
  const location = await locate(locator, path);
  const file = await readDisk(locator, location);
  assert.ok(file);
  return {
    fake,
    roots,
    location,
    at: (name: string) => join(ws, name),
    isStill: () => isStill(locator, location, file.stats),
    read: () => readDisk(locator, location),
  };
}

type Opened = Awaited<ReturnType<typeof opened>>;

const TREE = { 'sub/a.txt': 'text', 'other/a.txt': 'text', '.env': 'text' };

/** What may come between a verdict and the next use of the file. */
const CHANGES: Record<string, (file: Opened) => void> = {
  'other text of the same size, with the old times': ({ at }) => {
    const { atime, mtime } = statSync(at('sub/a.txt'));
    writeFileSync(at('sub/a.txt'), 'TEXT');
    utimesSync(at('sub/a.txt'), atime, mtime);
  },
  'another file with the same text, in its place': ({ at }) => {
    write(at('new.txt'), 'text');
    renameSync(at('new.txt'), at('sub/a.txt'));
  },
  'a link to another file with the same text': ({ at }) => {
    rmSync(at('sub/a.txt'));
    symlinkSync(at('other/a.txt'), at('sub/a.txt'));
  },
  'a link in the place of the folder above': ({ at }) => {
    renameSync(at('sub'), at('moved'));
    symlinkSync(at('other'), at('sub'));
  },
  'another folder of the same name': ({ at }) => {
    renameSync(at('sub'), at('moved'));
    renameSync(at('other'), at('sub'));
  },
};

/** Changes after which it is closed. */
const CLOSING: Record<string, (file: Opened) => void> = {
  'a link to a secret': ({ at }) => {
    rmSync(at('sub/a.txt'));
    symlinkSync(at('.env'), at('sub/a.txt'));
  },
  'a link to outside in the place of the folder above': ({ at }) => {
    renameSync(at('sub'), at('moved'));
    symlinkSync(folderWith({ 'a.txt': 'text' }), at('sub'));
  },
  'a rule that closes its name': ({ fake }) =>
    fake.person.sets('workspaceMcp.access.deniedPaths', ['sub/**']),
  'roots without it': ({ roots, at }) => Object.assign(roots, { paths: [at('other')] }),
  'a limit that it exceeds': ({ fake }) => fake.person.sets('workspaceMcp.access.maxFileSize', 3),
};

describe('workspace/read/diskFile', () => {
  afterEach(cleanUp);

  it('stands while nothing changes, though others of its folder do', async () => {
    const file = await opened('sub/a.txt', TREE);
    assert.ok(await file.isStill());
    write(file.at('sub/b.txt'), 'text');
    write(file.at('c.txt'), 'text');
    assert.ok(await file.isStill());
  });

  for (const [what, change] of Object.entries({ ...CHANGES, ...CLOSING }))
    itWithLinks(`does not stand after ${what}`, async () => {
      const file = await opened('sub/a.txt', TREE);
      change(file);
      assert.equal(await file.isStill(), false);
      if (what in CLOSING) await assert.rejects(file.read(), UserError);
      else assert.ok(await file.read());
    });

  it('does not stand once it is gone, or its folder has become one of Git', async () => {
    const gone = await opened('sub/a.txt', TREE);
    rmSync(gone.at('sub'), { recursive: true });
    assert.equal(await gone.isStill(), false);
    const inGit = await opened('sub/a.txt', TREE);
    for (const name of ['objects', 'refs']) mkdirSync(inGit.at(`sub/${name}`));
    write(inGit.at('sub/HEAD'), 'ref: refs/heads/main\n');
    inGit.fake.person.sets('files.encoding', 'utf8'); // any rule: what is known of Git directories may be a second old
    assert.equal(await inGit.isStill(), false);
  });
});
