import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { PatternsTooSlow, PatternTime, TIME } from '../../../src/access/redaction/patterns.ts';
import { UserError } from '../../../src/core/errors.ts';
import { editFile } from '../../../src/features/edit/editFile.ts';
import { readFile } from '../../../src/features/files/readFile.ts';
import { workspaceFiles } from '../../../src/features/files/workspaceFiles.ts';
import { changes } from '../../../src/features/git.ts';
import { getDiagnostics } from '../../../src/features/language/getDiagnostics.ts';
import { terminals } from '../../../src/features/run/terminals.ts';
import { until } from '../../until.ts';
import { problem } from './editing.ts';
import { opensGit } from './git.ts';
import { ipynb, opensNotebook } from './notebooks.ts';
import { read } from './resources.ts';
import { CALL, cleanUp, openWindow, type Tree, textsOf, type Window } from './window.ts';

const SETTING = 'workspaceMcp.access.redact';
const REDACTED = '[redacted]';
const NOTE = '[redacted] replaces text that agents may not see.';

const open = (tree: Tree, ...patterns: string[]) => openWindow(tree, { user: { [SETTING]: patterns } });

describe('features/index: redacted text', () => {
  afterEach(cleanUp);

  it('is redacted before lines are cut out', async () => {
    const window = open({ 'a.txt': 'x\nBEGIN\nk3y\nEND\ny\n' }, 'BEGIN[^]*END');
    const [text, note] = textsOf(await window.run(readFile, { path: 'a.txt', startLine: 3, endLine: 3 }));
    assert.equal(text, `${REDACTED}\n`);
    assert.equal(note, NOTE);
  });

  it('is not handed out in what is no text either', async () => {
    const secret = (encoding: BufferEncoding, before = '') =>
      Buffer.concat([Buffer.from([0, 0xff, 0xfe]), Buffer.from(before), Buffer.from('a k3y b', encoding)]);
    const secrets = { a: secret('utf8'), b: secret('utf16le', 'x'), c: secret('utf16le') };
    const window = open({ ...secrets, d: Buffer.from([0, 1]), 'e.ipynb': '\0"\\u006b3y"' }, 'k3y');
    const reading = (file: string) => workspaceFiles.read(window.uri(file), window.ctx, CALL);
    for (const file of ['a', 'b', 'c', 'e.ipynb'])
      await assert.rejects(reading(file), /is not text, and it contains redacted text/, file);
    assert.partialDeepStrictEqual((await reading('d'))?.contents, [{ blob: 'AAE=' }]);
  });

  it('is redacted in diffs that are not our own', async () => {
    const many = (text: string) => Array.from({ length: 600 }, (_, line) => `${text} ${line}\n`).join('');
    const window = open({ 'a.txt': `${many('a')}BEGIN\nk3y\nEND\n` }, 'BEGIN[^]*END');
    opensGit(window).committed.set(window.path('a.txt'), `${many('b')}BEGIN\r\nk4y\r\nEND\r\n`);
    const diff: string = await read(changes, 'changes/a.txt', window);
    assert.match(diff, /^--- a\.txt\n\+\+\+ a\.txt\n@@ -1,603 \+1,603 @@\n-b 0\n/);
    assert.equal(diff.split(REDACTED).length - 1, 6);
    assert.doesNotMatch(diff, /k[34]y|BEGIN|own diff/);
  });

  /** A terminal in which a command runs. */
  function cat(pattern: string) {
    const window = open({}, pattern);
    const { runs } = window.fake;
    const terminal = runs.opensTerminal('zsh', window.fake.api.Uri.file(window.path('')));
    return { window, runs, terminal, execution: runs.enters(terminal, 'cat key') };
  }

  it('is redacted in terminals, also where its beginning is left out', async () => {
    const { window, runs, terminal, execution } = cat('BEGIN[^]*?END');
    const key = Array.from({ length: 80 }, (_, line) => `k3y ${'x'.repeat(70)} ${line}\n`).join('');
    for (let at = 0; at < 24; at++) execution.prints(`BEGIN\n${key}END\n${'.'.repeat(200)}\n`);
    runs.ends(terminal, execution, 0);
    const outputNow = async () => `${(await read(terminals, 'terminals', window)).terminals[0].output}`;
    await until(async () => (await outputNow()).endsWith('.'), 'the end');
    const output = await outputNow();
    assert.match(output, /^\[\d+ lines are left out\]\n[\s\S]*\[redacted\]\n\.{200}\n/);
    assert.doesNotMatch(output, /k3y/);
  });

  it('is not shown of a command that still runs, where its end may not be printed yet', async () => {
    const { window, runs, terminal, execution } = cat('-----BEGIN[\\s\\S]*?-----END');
    execution.prints('-----BEGIN KEY\r\nMIIabc\r\n');
    const lastOf = async () => (await read(terminals, 'terminals', window)).terminals[0];
    await until(async () => (await lastOf()).output !== '', 'the output');
    assert.match((await lastOf()).output, /^\[the output is shown once it has ended: [^\n]*\]$/);
    window.fake.person.sets(SETTING, ['MII\\w+']);
    assert.equal((await lastOf()).output, `-----BEGIN KEY\n${REDACTED}`);
    window.fake.person.sets(SETTING, ['-----BEGIN[\\s\\S]*?-----END']);
    execution.prints('-----END\r\nfree\r\n');
    runs.ends(terminal, execution, 0);
    await until(async () => !/ended/.test((await lastOf()).output), 'the end');
    assert.equal((await lastOf()).output, `${REDACTED}\n${REDACTED}\n${REDACTED}\nfree`);
  });

  describe('in a notebook', () => {
    const cellsOf = async (window: Window) => {
      const [content] = (await workspaceFiles.read(window.uri('n.ipynb'), window.ctx, CALL))?.contents ?? [];
      assert.ok(content && 'text' in content);
      return content.text;
    };
    it('is redacted in its JSON as well, and stays where that is edited', async () => {
      const indented = (...source: string[]) => JSON.stringify(JSON.parse(ipynb(source)), undefined, 1);
      const window = open({ 'n.ipynb': indented('password = "hunter2"\n', 'x') }, '(?<=password = )"\\S+"');
      const [json = ''] = textsOf(await window.run(readFile, { path: 'n.ipynb', startLine: 1 }));
      assert.equal(json, indented(`password = ${REDACTED}\n`, 'x'));
      const editing = (oldText: string, newText: string) =>
        window.run(editFile, { path: 'n.ipynb', edits: [{ oldText, newText }], dryRun: true });
      const diff = textsOf(await editing('"x"', '"y"')).join('\n');
      assert.match(diff, /\[redacted\]\\n",\n-.*"x"\n\+.*"y"/);
      assert.doesNotMatch(diff, /hunter2/);
      await assert.rejects(editing('password = ', 'p = '), /contains redacted text, so it cannot be changed/);
    });

    it('is redacted in its cells by what stands in others, as it is in its JSON, and by a pattern that takes that with it', async () => {
      const [first, second] = ['--- cell 1 (code)\npassword:\n\n--- cell 2 (code', ')\n[redacted]\n'];
      const window = open({ 'n.ipynb': ipynb(['password:'], ['geheim77']) }, '(?<=password:[^]*)geheim\\w+');
      assert.equal(await cellsOf(window), first + second);
      opensNotebook(window, 'n.ipynb', 'password:', 'geheim77');
      assert.match(await cellsOf(window), /password:\n\n--- cell 2 \(code, python\)\n\[redacted\]\n/);
      const json = ipynb(['password:'], ['"geheim77\\t"']);
      const spelled = await cellsOf(open({ 'n.ipynb': json }, '(?<=password:.{0,80})geheim\\d+'));
      assert.ok(spelled.startsWith(`${first})\n"[redacted]`) && !spelled.includes('geheim'), spelled);
      const wide = open(
        { 'n.ipynb': ipynb(['password = hunter2'], ['x\n', 'free']) },
        '(?<=password = )[^]+',
      );
      assert.match(await cellsOf(wide), /^--- cell 1 \(code\)\npassword = \[redacted\]\n/);
      assert.doesNotMatch(await cellsOf(wide), /hunter2|nbformat|free/);
    });
  });

  it('needs reading to be switched on for an edit: its refusals tell of the text', async () => {
    const window = open({ 'a.txt': 'one\nk3y two\n' });
    window.fake.person.sets('workspaceMcp.access.allowedOperations', ['edit']);
    for (const dryRun of [true, false])
      for (const oldText of ['one', 'k3y twu'])
        await assert.rejects(
          window.run(editFile, { path: 'a.txt', edits: [{ oldText, newText: 'x' }], dryRun }),
          ({ message }: Error) => /"read" is switched off/.test(message) && !message.includes('two'),
        );
  });

  it('is a literal of another file in the problems of a file, where files are denied', async () => {
    const message = `Type '"s3cr3t-1"' is not assignable to type '"kind-a"'.`;
    const tree = { 'a.ts': 'b = "kind-a";\n', 'closed.ts': '"s3cr3t-1"' };
    for (const [denied, expected] of [
      [[], message],
      [['**/closed.ts'], message.replace('s3cr3t-1', REDACTED)],
    ] as const) {
      const window = openWindow(tree, { user: { 'workspaceMcp.access.deniedPaths': denied } });
      const { person } = window.fake;
      for (const path of ['closed.ts', 'a.ts']) person.opensTab(window.path(path));
      person.reports(window.path('a.ts'), [problem(message)]);
      const [text = ''] = textsOf(await window.run(getDiagnostics, {}));
      assert.ok(text.includes(expected), text);
    }
  });

  it('warns once of a pattern that is too slow, and reads other files', async () => {
    const window = open({ 'a.txt': 'slow 1', 'b.txt': 'slow 2', 'c.txt': 'c' }, '^(a+)+$');
    const run = mock.method(PatternTime.prototype, 'run', (length: number, find: () => unknown) => {
      const found = find();
      if (length > 5) throw new PatternsTooSlow(TIME);
      return found;
    });
    for (const path of ['a.txt', 'b.txt'])
      await assert.rejects(window.run(readFile, { path }), /This cannot be read: the patterns/);
    assert.deepEqual(textsOf(await window.run(readFile, { path: 'c.txt' })), ['c']);
    run.mock.restore();
    assert.match(window.warnings.join('|'), /^[^|]*workspaceMcp\.access\.redact is too slow[^|]*$/);
  });

  it('warns once of a pattern that is broken, and reads again once it is fixed', async () => {
    const window = open({ 'a.txt': 'k3y\n' }, '(');
    for (let times = 0; times < 2; times++)
      await assert.rejects(window.run(readFile, { path: 'a.txt' }), UserError);
    assert.equal(window.warnings.length, 1);
    assert.match(window.warnings[0] ?? '', /workspaceMcp\.access\.redact.*Unterminated group/);
    window.fake.person.sets(SETTING, ['k\\dy']);
    assert.deepEqual(textsOf(await window.run(readFile, { path: 'a.txt' })), [`${REDACTED}\n`, NOTE]);
    window.fake.person.sets(SETTING, ['(']);
    assert.equal(window.warnings.length, 2, 'at once, also what it has warned of before');
  });
});
