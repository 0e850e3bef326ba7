import assert from 'node:assert/strict';
import { PromptContext } from '../../../../src/features/hooks/promptContext.ts';
import { Selection } from '../../../fakes/text.ts';
import { inFront } from '../editing.ts';
import { cleanUp, openWindow } from '../window.ts';

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`).join('');

describe('features/hooks/promptContext', () => {
  afterEach(cleanUp);

  it('tells what is selected, once: whole lines by their numbers, at most 40 of them', async () => {
    const window = openWindow({ 'src/a.ts': LINES });
    const context = new PromptContext(window.ctx);
    assert.equal(await context.of([]), undefined);
    const editor = inFront(window, 'src/a.ts', new Selection(11, 0, 13, 0));
    assert.equal(await context.of([]), 'The user has selected src/a.ts:12-13:\nline 12\nline 13');
    assert.equal(await context.of([]), undefined);
    window.fake.person.selects(editor, new Selection(0, 0, 0, 0));
    assert.equal(await context.of([]), undefined);
    window.fake.person.selects(editor, new Selection(0, 0, 60, 0));
    const text = (await context.of([])) ?? '';
    assert.match(
      text,
      /^The user has selected src\/a\.ts:1-60 \(its first 40 lines\):\nline 1\n[\s\S]*\nline 40$/,
    );
  });

  it('tells nothing of a closed file, redacts, and says that text is unsaved', async () => {
    const options = { user: { 'workspaceMcp.access.redact': ['k3y'] } };
    const window = openWindow({ '.env': 'SECRET=1', 'a.ts': "x = 'k3y'\n" }, options);
    const context = new PromptContext(window.ctx);
    inFront(window, '.env', new Selection(0, 0, 0, 8));
    assert.equal(await context.of([{ path: '.env', lines: [[1, 1]] }]), undefined);
    Object.assign(window.fake.tabs[0] ?? {}, { isActive: false });
    const { document } = inFront(window, 'a.ts', new Selection(0, 0, 0, 9));
    document.isDirty = true;
    assert.equal(await context.of([]), "The user has selected a.ts:1, unsaved:\nx = '[redacted]'");
  });

  it('tells which lines the user has changed, once, and keeps to 1 KB', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `a-long-name-of-a-file-${index}.ts`);
    const tree = Object.fromEntries([...names, 'a.ts'].map((name) => [name, '🌲'.repeat(2_000)]));
    const window = openWindow(tree);
    const context = new PromptContext(window.ctx);
    const changed = {
      path: 'a.ts',
      lines: [
        [3, 5],
        [9, 9],
      ] as [number, number][],
    };
    assert.equal(
      await context.of([changed]),
      'The user has changed lines in files that you wrote: a.ts:3-5, 9',
    );
    assert.equal(await context.of([changed]), undefined);
    inFront(window, 'a.ts', new Selection(0, 0, 0, 3_000));
    const text = (await context.of(names.map((path) => ({ path, lines: [[1, 2]] })))) ?? '';
    assert.match(text, / and in 2\d more files\nThe user has selected a\.ts:1 \(its beginning\):\n🌲+$/u);
    assert.ok(Buffer.byteLength(text) <= 1_024 && Buffer.byteLength(text) > 1_000, text);
  });
});
