import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { FakeController } from '../../fakes/comments.ts';
import { FakeVscode } from '../../fakes/vscode.ts';
import { silent } from '../log.ts';
import { cleanUp, folderWith } from '../workspace/openWindow.ts';

const { comments, workspace, Uri, Range } = await import('vscode');
const { commentsLater } = await import('../../../src/ui/commentsLater.ts');

describe('ui/commentsLater', () => {
  let fake: FakeVscode;
  let controller: FakeController;

  beforeEach(() => {
    fake = FakeVscode.create({ folders: ['/w'] });
    controller = new FakeController();
    Object.setPrototypeOf(workspace, fake.api.workspace);
    Object.setPrototypeOf(Uri, fake.api.Uri);
    Object.assign(comments, { createCommentController: () => controller });
  });

  afterEach(() => {
    Reflect.deleteProperty(comments, 'createCommentController');
    for (const one of [workspace, Uri]) Object.setPrototypeOf(one, Object.prototype);
    cleanUp();
  });

  it('offers all lines of the files of the workspace, unless the user does not want it', async () => {
    await commentsLater(undefined, silent).start();
    const linesOf = async (path: string) => {
      const document = { uri: fake.api.Uri.file(path), lineCount: 3 } as vscode.TextDocument;
      const ranges = await controller.commentingRangeProvider?.provideCommentingRanges(document, {} as never);
      return (ranges as vscode.Range[]).map(({ start, end }) => [start.line, end.line]);
    };
    assert.deepEqual([await linesOf('/w/a.ts'), await linesOf('/v/a.ts')], [[[0, 2]], []]);
    const before = controller.commentingRangeProvider;
    fake.person.sets('workspaceMcp.comments.gutter', false);
    assert.notEqual(controller.commentingRangeProvider, before); // VS Code asks again
    assert.deepEqual(await linesOf('/w/a.ts'), []);
  });

  it('reads what is stored when it is needed, and writes it at the end', async () => {
    const folder = folderWith();
    const uri = fake.api.Uri.file('/w/a.ts');
    const first = commentsLater(fake.api.Uri.file(folder), silent);
    await first.start();
    first.close();
    assert.ok(first.comments.isNone);
    fake.person.loads(uri.fsPath, 'a\n');
    const thread = controller.createCommentThread(uri, new Range(0, 0, 0, 0), []);
    let count = 0;
    first.comments.onDidChange(() => count++);
    await (await first.threads()).write({ thread, text: 'why?' });
    assert.deepEqual([first.comments.isNone, count], [false, 1]);
    first.dispose();
    first.close();
    assert.ok(existsSync(join(folder, 'comments.json')));
    const second = commentsLater(fake.api.Uri.file(folder), silent);
    assert.ok(!second.comments.isNone);
    await second.start();
    assert.equal(controller.threads[0]?.comments[0]?.body, 'why?');
    assert.equal((await second.comments.load()).threads.length, 1);
    second.dispose();
    assert.deepEqual(controller.threads, []);
  });
});
