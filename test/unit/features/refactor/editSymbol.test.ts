import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { editSymbol } from '../../../../src/features/refactor/editSymbol.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { answer, asked, disk, documentOf, ONCE, refused } from '../editing.ts';
import { locationOf, withGiven } from '../symbols/givenServer.ts';
import { placesOf, withServer } from '../symbols/server.ts';
import { cleanUp, type Window } from '../window.ts';

const TREE = {
  'src/a.ts': 'class A {\n  // Runs.\n  run() {\n    return only;\n  }\n}\nconst only = 1;\n',
  'src/b.ts': 'const two = only;\nconst three = 3;\n',
  'src/c.ts': 'class C {\n  run() {\n    key=abc\n  }\n  go() {\n  }\n}\n',
  '.env': 'only=secret',
};

function open(...files: string[]): Window {
  const window = withServer(TREE, { user: { 'workspaceMcp.access.redact': ['key=\\w+'] } });
  window.ctx.language.of = async () => ({ diagnostics: [], state: 'checked' });
  window.fake.answers.set('vscode.executeReferenceProvider', () => placesOf(window, 'only', ...files));
  window.consent.always = ['edit'];
  return window;
}

const A = { symbol: 'A', path: 'src/a.ts' };
const RUN = { symbol: 'A/run', path: 'src/a.ts' };

const replace = { action: 'replace' };
const remove = { action: 'delete' };

describe('features/refactor/editSymbol', () => {
  afterEach(cleanUp);

  it('replaces a method, and tells its new lines', async () => {
    const window = open();
    const diff = await answer(window, editSymbol, { ...replace, ...RUN, body: 'run() {\n}', dryRun: true });
    assert.match(diff, /\n {3}run\(\) \{\n- {4}return only;\n/);
    assert.deepEqual([disk(window, 'src/a.ts'), window.consent.questions.length], [TREE['src/a.ts'], 0]);
    assert.equal(
      await answer(window, editSymbol, { ...replace, ...RUN, body: 'run() {\n  go();\n  go();\n}' }),
      'Replaced method A/run (src/a.ts:3).\nsrc/a.ts: lines 3-6 new, version 2, saved.\nNo problems.',
    );
    assert.match(disk(window, 'src/a.ts'), /^class A \{\n {2}\/\/ Runs\.\n {2}run\(\) \{\n {4}go\(\);\n/);
  });

  it('refuses the line numbers of a listing in the code', async () => {
    const window = open();
    const body = '3:   run() {\n4:     go();\n5:   }';
    await refused(
      answer(window, editSymbol, { ...replace, ...RUN, body }),
      /^body begins with line numbers of a listing: /,
    );
    assert.equal(disk(window, 'src/a.ts'), TREE['src/a.ts']);
  });

  it('takes code between fences, and loses no decorators', async () => {
    const window = open();
    await answer(window, editSymbol, { ...replace, ...RUN, body: '```ts\nrun() {\n  go();\n}\n```' });
    assert.match(
      disk(window, 'src/a.ts'),
      /^class A \{\n {2}\/\/ Runs\.\n {2}run\(\) \{\n {4}go\(\);\n {2}\}\n\}/,
    );
    const decorated = withServer({ 'd.ts': 'class A {\n  @log()\n  run() {\n  }\n}\n' });
    const body = '// New.\nrun() {\n}';
    const replacing = decorated.run(editSymbol, {
      ...replace,
      symbol: 'A/run',
      path: 'd.ts',
      body,
      dryRun: true,
    });
    await refused(replacing, /body has a comment, but not the decorators above \(@log\(\)\)/);
  });

  it('edits a symbol that two providers give', async () => {
    const window = open();
    const command = 'vscode.executeDocumentSymbolProvider';
    const once = window.fake.answers.get(command);
    const symbols = (...args: unknown[]) => once?.(...args) as unknown[];
    window.fake.answers.set(command, (...args) => [...symbols(...args), ...symbols(...args)]);
    await answer(window, editSymbol, { ...A, action: 'insert_last', body: 'go() {\n}' });
    assert.match(disk(window, 'src/a.ts'), /\n\n {2}go\(\) \{\n {2}\}\n\}/);
  });

  it('works on the declaration of a use, and on unsaved text', async () => {
    const window = open();
    const declaration = () => placesOf(window, 'only', 'src/a.ts').slice(1);
    window.fake.answers.set('vscode.executeDefinitionProvider', declaration);
    const document = window.fake.person.loads(window.path('src/a.ts'));
    window.fake.person.types(document, `// Typed.\n${TREE['src/a.ts']}`);
    const use = { path: 'src/b.ts', line: 1, symbol: 'only', body: 'const only = 2;' };
    const text = await answer(window, editSymbol, { ...replace, ...use });
    assert.match(text, /^Replaced constant only \(src\/a\.ts:8\)\.\nsrc\/a\.ts: line 8 new, .*, not saved/);
    assert.match(document.getText(), /^\/\/ Typed\.\n[\s\S]*const only = 2;\n$/);
  });

  describe('in a text that a shell has just changed', () => {
    const clock = holdClock();
    it('waits until VS Code has read it, and refuses to go by the outline before', async () => {
      const window = open();
      const document = window.fake.person.loads(window.path('src/a.ts'));
      const text = `// A line.\n${TREE['src/a.ts']}`;
      writeFileSync(window.path('src/a.ts'), text);
      const deleting = () =>
        clock.settle(answer(window, editSymbol, { ...remove, ...RUN, dryRun: true }), 100);
      await refused(deleting(), /src\/a\.ts is unchanged: it has just changed on the disk/);
      clock.after(100, () => document.reload());
      assert.match(await deleting(), /- {2}run\(\) \{\n- {4}return only;\n- {2}\}/);
    });
  });

  it('refuses a symbol of another name than the one asked for', async () => {
    const window = open();
    const inside = () => placesOf(window, 'only', 'src/a.ts').slice(0, 1);
    window.fake.answers.set('vscode.executeDefinitionProvider', inside);
    const use = { path: 'src/b.ts', line: 1, symbol: 'only' };
    const other = /cannot change the declaration of only: .*, but is no symbol of .* Use edit_file\.$/;
    await refused(answer(window, editSymbol, { ...replace, ...use, body: 'x' }), other);
    await refused(answer(window, editSymbol, { ...remove, path: 'src/b.ts', line: 1, column: 13 }), other);
  });

  it('says which declarations stay, and that a macro cannot be changed', async () => {
    const window = withGiven(
      { 'a.c': '#define MAX 2\nstatic int f(void);\nstatic int f(void) { return MAX; }\n' },
      {
        symbols: {
          'a.c': [
            ['function f', '2'],
            ['function f', '3'],
          ],
        },
        definitions: { 'a.c:2': ['a.c:3 f'], 'a.c:3': ['a.c:2 f'] },
      },
    );
    window.fake.answers.set('vscode.executeReferenceProvider', () => [locationOf(window, 'a.c:3 f')]);
    const deleted = await answer(window, editSymbol, { ...remove, symbol: 'f', path: 'a.c', dryRun: true });
    assert.match(deleted, /\n-static int f\(void\) \{[\s\S]*It stays declared on 1 other line: a\.c:2\./);
    const macro = { action: 'insert_after', symbol: 'MAX', path: 'a.c', body: 'int a;' };
    await refused(answer(window, editSymbol, macro), /of MAX: it is a macro \(a\.c:1\)\. Use edit_file\.$/);
  });

  it('inserts on every side', async () => {
    const window = open();
    for (const position of ['before', 'after', 'first', 'last'])
      await answer(window, editSymbol, {
        ...A,
        action: `insert_${position}`,
        body: `const ${position} = 1;`,
      });
    assert.equal(
      disk(window, 'src/a.ts'),
      `const before = 1;
class A {
  const first = 1;

  // Runs.
  run() {
    return only;
  }

  const last = 1;
}
const after = 1;
const only = 1;
`,
    );
  });

  it('deletes what only its own text uses, with its comment', async () => {
    const window = open();
    window.fake.answers.set('vscode.executeReferenceProvider', () => placesOf(window, 'run', 'src/a.ts'));
    const text = await answer(window, editSymbol, { ...remove, ...RUN });
    const deleted =
      'Deleted method A/run (src/a.ts:3).\nsrc/a.ts: lines 2-5 deleted, version 2, saved.\nNo problems.';
    assert.equal(text, deleted);
    assert.equal(disk(window, 'src/a.ts'), 'class A {\n}\nconst only = 1;\n');
    const unknown = await answer(open(), editSymbol, { ...remove, symbol: 'three', path: 'src/b.ts' });
    assert.match(unknown, /\nUses were not checked\. There are none, or no extension provides references/);
  });

  it('lists the uses instead of deleting; closed ones are counted', async () => {
    const window = open('src/a.ts', 'src/b.ts', '.env');
    await assert.rejects(answer(window, editSymbol, { ...remove, symbol: 'only', path: 'src/a.ts' }), {
      message: `Nothing was deleted: 3 lines use constant only (src/a.ts:7) outside of itself.
src/a.ts
4: return only;
src/b.ts
1: const two = only;
1 more place is outside the workspace or closed to you.`,
    });
    assert.equal(disk(window, 'src/a.ts'), TREE['src/a.ts']);
  });

  it('changes no line with redacted text, but those around it', async () => {
    const window = open();
    const wanted = { symbol: 'C/run', path: 'src/c.ts', body: 'run() {\n}' };
    await refused(answer(window, editSymbol, { ...replace, ...wanted }), /line 3 contains redacted text/);
    const guess = { ...wanted, body: 'run() {\n  key=abc\n}' };
    await refused(answer(window, editSymbol, { ...replace, ...guess }), /line 3 contains redacted text/);
    await refused(
      answer(window, editSymbol, { ...remove, symbol: 'C/run', path: 'src/c.ts' }),
      /redacted text/,
    );
    await answer(window, editSymbol, { ...wanted, action: 'insert_after', body: 'stop() {\n}' });
    assert.match(disk(window, 'src/c.ts'), /key=abc\n {2}\}\n {2}stop\(\) \{\n {2}\}\n {2}go/);
  });

  it('changes nothing for another version, the same text, or a text that changes meanwhile', async () => {
    const window = open();
    await refused(
      answer(window, editSymbol, { ...replace, ...RUN, body: 'run() {}', expectedVersion: 7 }),
      /version 1, expected 7\)\. Read it again/,
    );
    const same = 'run() {\n  return only;\n}';
    await refused(answer(window, editSymbol, { ...replace, ...RUN, body: same }), /nothing would change/);
    await refused(answer(window, editSymbol, { ...replace, ...RUN, body: ' \n' }), /body is missing/);
    await refused(answer(window, editSymbol, { ...RUN, action: 'insert_last' }), /body is missing or/);
    await refused(answer(window, editSymbol, { ...RUN, ...remove, body: 'run() {}' }), /takes no body/);
    window.consent.always = [];
    const replacing = answer(window, editSymbol, { ...replace, ...RUN, body: 'run() {}' });
    await asked(window);
    const document = documentOf(window, 'src/a.ts');
    window.fake.person.types(document, 'const only = 2;\n');
    window.consent.answer(ONCE);
    await refused(replacing, /src\/a\.ts is unchanged: the same lines changed/);
  });

  it('takes one yes while the user types elsewhere, and keeps what is typed', async () => {
    const window = open();
    window.consent.always = [];
    const replacing = answer(window, editSymbol, { ...replace, ...RUN, body: 'run() {}' });
    await asked(window);
    const document = documentOf(window, 'src/a.ts');
    window.fake.person.types(document, `// typed\n\n${document.getText()}`);
    window.consent.answer(ONCE);
    assert.match(await replacing, /src\/a\.ts: /);
    assert.match(document.getText(), /^\/\/ typed\n\n[\s\S]*run\(\) \{\}/);
    assert.equal(window.consent.questions.length, 1);
  });
});
