import assert from 'node:assert/strict';
import { changes } from '../../../src/features/resources/changes.ts';
import { terminals } from '../../../src/features/resources/terminals.ts';
import { workspaceFiles } from '../../../src/features/resources/workspaceFiles.ts';
import { readFile } from '../../../src/features/tools/readFile.ts';
import { searchText } from '../../../src/features/tools/searchText.ts';
import { UserError } from '../../../src/protocol/errors.ts';
import { read, soon } from './resources/support.ts';
import { CALL, cleanUp, openWindow, type Tree, textsOf } from './window.ts';

const SETTING = 'workspaceMcp.access.redact';
const MASK = '[redacted]';

const open = (tree: Tree, ...patterns: string[]) => openWindow(tree, { user: { [SETTING]: patterns } });

describe('features: redacted text', () => {
  afterEach(cleanUp);

  it('is masked before lines are cut out', async () => {
    const window = open({ 'a.txt': 'x\nBEGIN\nk3y\nEND\ny\n' }, 'BEGIN[^]*END');
    const [text] = textsOf(await window.run(readFile, { path: 'a.txt', startLine: 3, endLine: 3 }));
    assert.equal(text, `${MASK}\n`);
  });

  it('is not handed out in what is no text either', async () => {
    const secret = (encoding: BufferEncoding, before = '') =>
      Buffer.concat([Buffer.from([0, 0xff, 0xfe]), Buffer.from(before), Buffer.from('a k3y b', encoding)]);
    const window = open(
      {
        'a.bin': secret('utf8'),
        'b.bin': secret('utf16le', 'x'),
        'c.bin': secret('utf16le'),
        'd.bin': Buffer.from([0, 1]),
      },
      'k3y',
    );
    const reading = (file: string) => workspaceFiles.read(window.uri(file), window.ctx, CALL);
    for (const file of ['a.bin', 'b.bin', 'c.bin'])
      await assert.rejects(reading(file), /is no text, and holds what is redacted/, file);
    assert.deepEqual(
      (await reading('d.bin'))?.contents.map((one) => 'blob' in one && one.blob),
      ['AAE='],
    );
  });

  it('is masked in diffs that are not our own', async () => {
    const many = (text: string) => Array.from({ length: 2000 }, (_, line) => `${text} ${line}\n`).join('');
    const window = open({ 'a.txt': `${many('a')}BEGIN\nk3y\nEND\n` }, 'BEGIN[^]*END');
    const root = window.fake.api.Uri.file(window.path(''));
    const repository = window.fake.git.opens(root);
    repository.committed.set(window.path('a.txt'), `${many('b')}BEGIN\r\nk4y\r\nEND\r\n`);
    const diff: string = await read(changes, 'changes/a.txt', window);
    assert.match(diff, /^--- a\.txt\n\+\+\+ a\.txt\n@@ -1,2003 \+1,2003 @@\n-b 0\n/);
    assert.equal(diff.split(MASK).length - 1, 6);
    assert.doesNotMatch(diff, /k[34]y|BEGIN|own diff/);
  });

  it('is masked in terminals, also where its beginning is no longer kept', async () => {
    const window = open({}, 'BEGIN[^]*?END');
    const { runs } = window.fake;
    window.ctx.runs.keep();
    const terminal = runs.opensTerminal('zsh', window.fake.api.Uri.file(window.path('')));
    const execution = runs.enters(terminal, 'cat');
    const key = Array.from({ length: 80 }, (_, line) => `k3y ${'x'.repeat(70)} ${line}\n`).join('');
    for (let at = 0; at < 24; at++) execution.prints(`BEGIN\n${key}END\n${'.'.repeat(200)}\n`);
    await soon();
    const { output, leftOut } = (await read(terminals, 'terminals', window)).terminals[0];
    assert.ok(leftOut > 0);
    assert.match(output, /\[redacted\]\n\.{200}\n/);
    assert.doesNotMatch(output, /k3y/);
  });

  it('says what is not searched whatever there is', async () => {
    const window = open({ 'a.txt': 'k3y\nb\n', 'b.txt': 'b\nc\n' }, 'k3y');
    for (const query of ['b\\n', 'k3y\\nb', 'zzz\\n'])
      assert.match(
        textsOf(await window.run(searchText, { query, isRegex: true })).join('\n'),
        /Files with redacted text are not searched/,
      );
  });

  it('warns once of a pattern that is broken, and reads again once it is mended', async () => {
    const window = open({ 'a.txt': 'k3y\n' }, '(');
    for (let times = 0; times < 2; times++)
      await assert.rejects(window.run(readFile, { path: 'a.txt' }), UserError);
    assert.deepEqual(window.warnings.length, 1);
    assert.match(window.warnings[0] ?? '', /workspaceMcp\.access\.redact.*Unterminated group/);
    window.fake.person.sets(SETTING, ['k\\dy']);
    assert.deepEqual(textsOf(await window.run(readFile, { path: 'a.txt' })), [`${MASK}\n`]);
    window.fake.person.sets(SETTING, ['(']);
    assert.equal(window.warnings.length, 2, 'at once, also what it has warned of before');
  });
});
