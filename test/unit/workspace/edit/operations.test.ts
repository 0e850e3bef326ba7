import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { dryRun, makeEdits } from '../../../../src/features/edit/makeEdits.ts';
import { CHANGES_TEXT, defineTool, text } from '../../../../src/features/tool.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { cleanUp, openWindow, textsOf, type Window } from '../../features/window.ts';

/** Edits one file, creates, moves and copies one, and deletes two. */
const change = defineTool({
  name: 'change',
  title: 'Change',
  description: 'For this test.',
  group: 'edit',
  operation: 'edit',
  annotations: CHANGES_TEXT,
  input: z.strictObject({ dryRun }),
  async run(_, ctx, call) {
    const { files } = ctx;
    const plan = (before: string) => `${before}more\n`;
    const edits = [{ location: await files.locate('edited.txt'), plan }];
    const fromTo = async (path: string) => ({
      location: await files.locate(path),
      target: await files.locateNew(`x/${path}`),
    });
    const operations = [
      { type: 'delete' as const, location: await files.locate('gone.txt') },
      { type: 'delete' as const, location: await files.locate('gone') },
      { type: 'create' as const, target: await files.locateNew('x/y/new.txt'), text: 'new\n' },
      { type: 'move' as const, ...(await fromTo('moved.txt')) },
      { type: 'copy' as const, ...(await fromTo('copied')) },
    ];
    return text((await makeEdits(edits, { operations, did: () => 'edited' }, ctx, call)).join('\n'));
  },
});

const TREE = {
  'edited.txt': 'text\n',
  'gone.txt': 'gone\n',
  'gone/a/b.txt': 'b',
  'moved.txt': 'moved',
  'copied/c.txt': 'c',
};

/** All files with their texts. */
const contents = (window: Window): Record<string, string> => {
  const paths = readdirSync(window.path(''), { recursive: true }) as string[];
  const files = paths.filter((path) => statSync(window.path(path)).isFile());
  return Object.fromEntries(files.sort().map((path) => [path, readFileSync(window.path(path), 'utf8')]));
};

/** How often changes of imports are looked for after a move, in milliseconds. */
const STEP = 100;

describe('workspace/edit/operations', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  it('are asked for in one question with the edits, and done after them', async () => {
    const window = openWindow(TREE);
    window.consent.answers.push({ allow: 'once' });
    const [answer] = textsOf(await clock.settle(window.run(change), STEP));
    assert.deepEqual(answer?.split('\n').slice(0, 6), [
      'edited.txt: edited, version 2, saved.',
      'x/y/new.txt: created, 1 line.',
      'moved.txt: moved to x/moved.txt.',
      'copied: copied to x/copied with 1 file.',
      'gone.txt: deleted for good (there is no trash here).',
      'gone with 1 file: deleted for good (there is no trash here).',
    ]);
    assert.deepEqual(contents(window), {
      'copied/c.txt': 'c',
      'edited.txt': 'text\nmore\n',
      'x/copied/c.txt': 'c',
      'x/moved.txt': 'moved',
      'x/y/new.txt': 'new\n',
    });
    const [question, ...others] = window.consent.questions;
    assert.deepEqual([question?.kind, question?.also, others], ['delete', 'edit', []]);
  });

  it('need both permissions: to edit alone is not to delete', async () => {
    const window = openWindow(TREE);
    window.consent.always = ['delete'];
    window.consent.answers.push({ deny: '' });
    await assert.rejects(window.run(change), /denied this delete/);
    assert.deepEqual(contents(window), TREE);
    window.consent.always = ['delete', 'edit'];
    await clock.settle(window.run(change), STEP);
    assert.equal(window.consent.questions.length, 1);
  });

  // VS Code gets one edit for the text, then one each for what is created, moved and deleted; the copy is none.
  for (const failing of [2, 3, 4, 5])
    it(`are all taken back if VS Code fails at number ${failing}`, async () => {
      const window = openWindow(TREE);
      window.consent.answers.push({ allow: 'once' });
      const { workspace } = window.fake.api;
      const { applyEdit } = workspace;
      let count = 0;
      workspace.applyEdit = (edit: vscode.WorkspaceEdit) =>
        ++count === failing ? Promise.resolve(false) : applyEdit(edit);
      await assert.rejects(window.run(change), /^UserError: VS Code failed at .*\. The edit was reverted\.$/);
      assert.deepEqual(contents(window), TREE);
      assert.equal(readdirSync(window.path('')).length, 5, 'no folder is left over');
    });
});
