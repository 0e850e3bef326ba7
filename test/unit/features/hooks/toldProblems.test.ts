import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { Uri } from 'vscode';
import { ToldProblems } from '../../../../src/features/hooks/toldProblems.ts';
import { TSSERVER_REQUEST } from '../../../../src/tsserver/commands.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { FakeDiagnostic, Range } from '../../../fakes/text.ts';
import { until } from '../../../until.ts';
import { cleanUp, openWindow, type Tree, type Window } from '../window.ts';

const NEVER = new AbortController().signal;
/** Longer waits are limits on what is real here. This and the following are in milliseconds. */
const LONGEST = 500;
/** Between two looks at whether VS Code has read a file again. */
const NOTICING = 50;

/** With the names of files of which the problems are known. TypeScript's server answers once `ready` resolves. */
type Watched = Window & { looked: Set<string>; asked: Set<string>; server: { ready: Promise<unknown> } };

/** A window with TypeScript: a line with `bad` is an error, and so is the import of a file that has no `f`. */
function withTypeScript(tree: Tree): Watched {
  const window = openWindow(tree);
  const { fake } = window;
  fake.extensions.brings({ languages: [{ id: 'typescript', extensions: ['.ts'] }] });
  fake.extensions.installs('typescript', true);
  const [looked, asked] = [new Set<string>(), new Set<string>()];
  const server = { ready: Promise.resolve<unknown>(undefined) };
  const { redactor } = window.ctx.files;
  const { redactedText } = redactor;
  redactor.redactedText = async (location) => {
    const text = await redactedText(location);
    looked.add(location.path);
    return text;
  };
  const textOf = (name: string) =>
    fake.documents.find(({ uri }) => uri.path.endsWith(`/${name}`))?.getText() ??
    tree[name]?.toString() ??
    '';
  const errors = (text: string) =>
    text.split('\n').flatMap((line, at) => {
      const [, from] = /from '\.\/(\w+)'/.exec(line) ?? [];
      const isBroken = from !== undefined && !/\bf\b/.test(textOf(`${from}.ts`));
      return line.includes('bad') || isBroken ? [`${at + 1} ${line}`] : [];
    });
  fake.answers.set(TSSERVER_REQUEST, (command, about) => {
    const name = (about as { file: Uri }).file.path.split('/').at(-1) ?? '';
    const found = command === 'semanticDiagnosticsSync' ? errors(textOf(name)) : [];
    const body = found.map((one) => {
      const line = Number.parseInt(one, 10);
      const place = { line, offset: 1 };
      return { start: place, end: { line, offset: 2 }, text: one.replace(/^\d+ /, ''), category: 'error' };
    });
    asked.add(name);
    return server.ready.then(() => ({ body }));
  });
  return { ...window, looked, asked, server };
}

describe('features/hooks/toldProblems', () => {
  afterEach(cleanUp);
  const clock = holdClock();

  const at = (window: Window, ...paths: string[]) =>
    Promise.all(paths.map((path) => window.ctx.files.locate(path)));
  /** As an agent's own tool does it; VS Code then reads it again. */
  const writes = (window: Window, path: string, text: string, isRead = true) => {
    writeFileSync(window.path(path), text);
    if (isRead) reads(window, path, text);
  };
  const reads = ({ fake, path }: Window, file: string, text: string) => {
    const document = fake.documents.find(({ uri }) => uri.fsPath === path(file));
    if (!document) return;
    fake.person.types(document, text);
    document.isDirty = false;
  };
  /** Until it is known what there is before an edit. @param users that a search finds */
  const begins = async (window: Watched, told: ToldProblems, path: string, users: string[] = []) => {
    window.looked.clear();
    await clock.settle(told.before(await at(window, path)), LONGEST);
    assert.ok([path, ...users].every((one) => window.looked.has(one)));
  };
  const tells = async (window: Window, told: ToldProblems, ...paths: string[]) =>
    clock.settle(told.after(await at(window, ...paths), NEVER), LONGEST);
  /** The lines of one edit. */
  const edit = async (window: Watched, told: ToldProblems, path: string, text: string, users?: string[]) => {
    await begins(window, told, path, users);
    writes(window, path, text);
    return tells(window, told, path);
  };

  /** What settles later. */
  const nextTold = async (told: ToldProblems): Promise<string> => {
    let text: string | undefined;
    const isTold = async () => {
      text ??= await told.late();
      return text !== undefined;
    };
    await clock.settle(until(isTold, 'the error'), LONGEST);
    return text ?? '';
  };

  it('tells new errors of the file and of those that import it, no old ones, and none twice', async () => {
    const user = "import { f } from './a';\nbad before\n";
    const window = withTypeScript({ 'a.ts': 'f\nbad old\n', 'b.ts': user, 'c.ts': 'bad elsewhere\n' });
    const told = new ToldProblems(window.ctx);
    assert.equal(
      await edit(window, told, 'a.ts', 'x\nbad new\nbad old\n', ['b.ts']),
      [
        'New errors after your edit:',
        'a.ts',
        '  2:1 error bad new (ts)',
        'b.ts',
        "  1:1 error import { f } from './a'; (ts)",
      ].join('\n'),
    );
    assert.equal(await edit(window, told, 'a.ts', 'x\n\nbad new\nbad old\n'), undefined);
    assert.equal(await told.late(), undefined);
    assert.match(
      (await edit(window, told, 'a.ts', 'bad new\nbad new\n')) ?? '',
      /\n {2}\d:1 error bad new \(ts\)$/,
    );
  });

  it('takes no report on the old text for one on the new: what settles late comes with the next call', async () => {
    const window = withTypeScript({ 'a.ts': 'f\n' });
    const told = new ToldProblems(window.ctx);
    await begins(window, told, 'a.ts');
    writes(window, 'a.ts', 'f\nbad\n', false); // VS Code has not noticed
    const late = new AbortController();
    const answered = told.after(await at(window, 'a.ts'), late.signal);
    await clock.passWait(NOTICING);
    late.abort();
    assert.equal(await answered, undefined);
    assert.equal(await told.late(), undefined);
    reads(window, 'a.ts', 'f\nbad\n');
    assert.match(await nextTold(told), /a\.ts\n {2}2:1 error bad/);
  });

  it('has errors that are still to be told stay new for the next edit', async () => {
    const window = withTypeScript({ 'a.ts': 'f\n' });
    const told = new ToldProblems(window.ctx);
    await begins(window, told, 'a.ts');
    writes(window, 'a.ts', 'f\nbad 1\n');
    const ended = AbortSignal.abort();
    assert.equal(await told.after(await at(window, 'a.ts'), ended), undefined);
    const text = (await edit(window, told, 'a.ts', 'f\nbad 1\nbad 2\n')) ?? '';
    assert.match(text, /bad 1[\s\S]*bad 2/);
  });

  it('takes what a server that starts was asked before an edit for what was there, though it answers later', async () => {
    const window = withTypeScript({ 'a.ts': 'f\nbad old\n' });
    const told = new ToldProblems(window.ctx);
    const { promise, resolve } = Promise.withResolvers<void>();
    window.server.ready = promise;
    void told.before(await at(window, 'a.ts'));
    await until(() => window.asked.has('a.ts'), 'the question');
    writes(window, 'a.ts', 'f\nbad old\nbad new\n');
    assert.equal(await told.after(await at(window, 'a.ts'), AbortSignal.abort()), undefined);
    resolve();
    const words = ['New errors after your edit:', 'a.ts', '  3:1 error bad new (ts)'];
    assert.equal(await nextTold(told), words.join('\n'));
  });

  it('has errors of files that use an edited one stay new for the next edit, too', async () => {
    const window = withTypeScript({ 'a.ts': 'f\n', 'b.ts': "import { f } from './a';\n" });
    const told = new ToldProblems(window.ctx);
    await begins(window, told, 'a.ts', ['b.ts']);
    writes(window, 'a.ts', 'g\n');
    const { promise, resolve } = Promise.withResolvers<void>();
    window.server.ready = promise;
    window.asked.clear();
    await told.after(await at(window, 'a.ts'), AbortSignal.abort());
    await until(() => window.asked.has('a.ts'), 'the check');
    void told.before(await at(window, 'a.ts'));
    await until(() => window.asked.has('b.ts'), 'the look at what uses it');
    resolve();
    assert.match(await nextTold(told), /b\.ts\n {2}1:1 error import/);
  });

  it('takes nothing that an earlier edit has shown for what is there before a later one', async () => {
    const window = withTypeScript({ 'a.ts': 'f\n' });
    const told = new ToldProblems(window.ctx);
    await edit(window, told, 'a.ts', 'f\n// comment\n');
    writes(window, 'a.ts', 'bad of the user\n');
    assert.equal(await tells(window, told, 'a.ts'), undefined);
    await told.before([]);
    writes(window, 'a.ts', 'bad of the user\nof the command\n');
    assert.equal(await tells(window, told, 'a.ts'), undefined);
  });

  it('of a file that no tab shows asks before a command, if it is loaded', async () => {
    const window = withTypeScript({ 'a.ts': 'f\nbad old\n', 'b.ts': 'f\n' });
    const told = new ToldProblems(window.ctx);
    await edit(window, told, 'a.ts', 'f\nbad old\n// comment\n');
    await edit(window, told, 'b.ts', 'f\n// comment\n');
    window.asked.clear();
    await told.before([]);
    await until(() => window.asked.has('a.ts'), 'the question');
    writes(window, 'a.ts', 'f\nbad old\nbad new\n');
    assert.match((await tells(window, told, 'a.ts')) ?? '', /a\.ts\n {2}3:1 error bad new \(ts\)$/);
  });

  it('tells nothing of a file that is closed to the agent by now', async () => {
    const window = withTypeScript({ 'a.ts': 'f\n' });
    const told = new ToldProblems(window.ctx);
    await begins(window, told, 'a.ts');
    writes(window, 'a.ts', 'bad\n');
    const answered = told.after(await at(window, 'a.ts'), NEVER);
    told.ctx = {
      ...window.ctx,
      files: Object.create(window.ctx.files, { permitted: { value: async () => undefined } }),
    };
    assert.equal(await clock.settle(answered, LONGEST), undefined);
  });

  it('says nothing where the user has unsaved text, or of what was there before nothing is known', async () => {
    const window = withTypeScript({ 'a.ts': 'f\n', 'b.ts': 'f\n' });
    const told = new ToldProblems(window.ctx);
    const document = window.fake.person.opensTab(window.path('a.ts'));
    await begins(window, told, 'a.ts');
    window.fake.person.types(document, 'bad of the user\n');
    writes(window, 'a.ts', 'bad\n', false);
    assert.equal(await tells(window, told, 'a.ts'), undefined);
    writes(window, 'b.ts', 'bad\n');
    assert.equal(await tells(window, told, 'b.ts'), undefined);
  });

  it('of a file that the edit has made takes every error for a new one, and keeps to 1 KB', async () => {
    const window = withTypeScript({ 'a.ts': 'f\n' });
    const told = new ToldProblems(window.ctx);
    writes(window, 'new.ts', `bad ${'x'.repeat(150)}\n`.repeat(30));
    const made = told.after(await at(window, 'new.ts'), NEVER, new Set(['new.ts']));
    const text = (await clock.settle(made, LONGEST)) ?? '';
    assert.match(text, /\n {2}and 25 more: get_diagnostics {"paths":\["new\.ts"\]}$/);
    assert.ok(Buffer.byteLength(text) <= 1_024, text);
    assert.equal(await told.late(), undefined);
  });

  it('of a command that names no file compares an open one with what was reported before', async () => {
    const window = withTypeScript({ 'a.ts': 'f\nbad old\n', 'b.ts': 'f\n' });
    const told = new ToldProblems(window.ctx);
    window.fake.person.opensTab(window.path('a.ts'));
    const known = Object.assign(new FakeDiagnostic(new Range(1, 0, 1, 1), 'bad old'), { source: 'ts' });
    window.fake.person.reports(window.path('a.ts'), [known as never]);
    await told.before([]);
    for (const path of ['a.ts', 'b.ts']) writes(window, path, 'f\nbad old\nbad new\n');
    const words = ['New errors after your edit:', 'a.ts', '  3:1 error bad new (ts)'];
    assert.equal(await tells(window, told, 'a.ts', 'b.ts'), words.join('\n'));
  });

  it('tells at the end of a turn what the turn has left, once', async () => {
    const window = withTypeScript({ 'a.ts': 'f\n' });
    const told = new ToldProblems(window.ctx);
    const stop = () => clock.settle(told.atStop(NEVER), LONGEST);
    told.beginTurn();
    assert.match((await edit(window, told, 'a.ts', 'f\nbad 1\nbad 2\n')) ?? '', /bad 2/);
    await edit(window, told, 'a.ts', 'f\nbad 2\n');
    assert.equal(await stop(), 'Your edits have left these errors:\na.ts\n  2:1 error bad 2 (ts)');
    assert.equal(await stop(), undefined);
    await edit(window, told, 'a.ts', 'f\nbad 3\n');
    told.beginTurn();
    assert.equal(await stop(), undefined);
  });
});
