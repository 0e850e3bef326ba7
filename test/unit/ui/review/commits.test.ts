import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { until } from '../../../until.ts';
import { silent } from '../../log.ts';
import { BASE, cleanUp, openFile } from './reviewed.ts';

const { keepCommitted } = await import('../../../../src/ui/review/commits.ts');

describe('ui/review/commits', () => {
  afterEach(cleanUp);

  /** A changed file in a repository. */
  async function open({ isFirst = false } = {}) {
    const file = openFile();
    const { git, uri, changed, record } = file;
    const repository = git.opens(uri.with({ path: file.folder }));
    if (isFirst) repository.state.HEAD = { name: 'main' };
    else repository.committed.set(uri.fsPath, BASE);
    const listening = keepCommitted(changed, silent);
    await until(() => repository.listeners === 1, 'nobody listens to Git');
    return {
      ...file,
      repository,
      listening,
      path: uri.fsPath,
      isLeft: () => changed.isListed(uri),
      /** With a new file, whose changes are kept last. */
      async commits(texts: Parameters<typeof repository.commits>[0]) {
        const last = uri.with({ path: `${file.folder}/z.txt` });
        writeFileSync(last.fsPath, 'z');
        record(9, {
          type: 'create',
          uri: last,
          path: 'z.txt',
          files: [{ uri: last, bytes: Buffer.from('z') }],
        });
        repository.committed.delete(last.fsPath);
        repository.commits({ ...texts, [last.fsPath]: 'z' });
        await until(() => !changed.isListed(last), 'the commit is not looked at');
      },
    };
  }

  it('a commit of the present text keeps its changes; one of another text does not', async () => {
    const { edits, isLeft, commits, path, now, journal, listening, repository } = await open();
    const { id } = edits(1, ['b', 'B'], ['d', 'D']);
    await commits({ [path]: BASE.replace('b', 'B') });
    assert.deepEqual([isLeft(), journal.isKept(id)], [true, false]);
    await commits({ [path]: now() });
    assert.deepEqual([isLeft(), journal.isKept(id)], [false, true]);
    listening.dispose();
    assert.equal(repository.listeners, 0);
  });

  it('a commit of other files keeps nothing, also if an agent has put the text of the last commit back', async () => {
    const { edits, types, isLeft, commits } = await open();
    types('b', 'typed');
    edits(1, ['typed', 'b']);
    await commits({});
    assert.ok(isLeft());
  });

  it('a commit keeps nothing of which nothing is left in the text: it may be stashed', async () => {
    const { edits, types, isLeft, commits, path, now, journal } = await open();
    const { id } = edits(1, ['b', 'B']);
    types('B', 'b');
    types('g', 'G');
    await commits({ [path]: now() });
    assert.deepEqual([isLeft(), journal.isKept(id)], [false, false]);
  });

  it('the first commit of a repository keeps changes', async () => {
    const { edits, isLeft, commits, path, now } = await open({ isFirst: true });
    edits(1, ['b', 'B']);
    await commits({ [path]: now() });
    assert.ok(!isLeft());
  });

  it('a commit of bytes that are no text keeps them, one of others does not', async () => {
    const { record, uri, path, closes, isLeft, commits } = await open();
    const [before, after] = [Buffer.from(BASE), Buffer.from('\0new')];
    writeFileSync(path, after);
    closes();
    record(1, { type: 'bytes', uri, path: 'a.txt', before, after });
    await commits({ [path]: '\0other' });
    assert.ok(isLeft());
    await commits({ [path]: '\0new' });
    assert.ok(!isLeft());
  });

  it('a commit without a file that an agent has deleted keeps the deletion', async () => {
    const { record, uri, path, closes, isLeft, commits } = await open();
    rmSync(path);
    closes();
    record(1, { type: 'delete', uri, path: 'a.txt', files: [{ uri, bytes: Buffer.from(BASE) }] });
    await commits({});
    assert.ok(isLeft());
    await commits({ [path]: undefined });
    assert.ok(!isLeft());
  });
});
