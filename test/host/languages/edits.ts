/** Tools that edit: what an answer says about problems is compared with the compiler. */
import assert from 'node:assert/strict';
import { compilerLines, linesWith } from './judges.ts';
import type { Change } from './projects.ts';
import { SAYS_NOT_OFFERED } from './table.ts';
import { filesOf, type Tested, textOf, undone } from './tested.ts';

/** The first edit of a window: nothing has asked the server anything before. */
export function testColdEdit(one: Tested): void {
  const { wrong } = one.project;
  if (wrong)
    it('keeps no edit that breaks another file, in a window that has just opened', () =>
      takesBack(one, wrong));
}

export function testEdits(one: Tested): void {
  const { at, directory, project } = one;
  const { wrong, right } = project;

  if (wrong) {
    it('keeps no edit that breaks another file', () => takesBack(one, wrong));

    it('names what an edit breaks in another file, and keeps the edit', () =>
      undone(one, async () => {
        const answer = await edit(one, wrong);
        assert.notDeepEqual(await errorsOf(one, wrong.breaks), []);
        await namesErrors(one, answer, wrong.breaks);
      }));
  }

  it('keeps a right edit', () =>
    undone(one, async () => {
      const answer = await edit(one, right, 'no_new_errors');
      assert.ok(filesOf(one).get(right.path)?.includes(right.newText), answer);
      assert.doesNotMatch(answer, / error /);
    }));

  it('renames a function and all its uses, or says that the server does not', () =>
    undone(one, async () => {
      const { name, path } = project.function;
      const places = linesWith(name, directory);
      const newName = `${name}_new`;
      const answer = await one.ask('rename_symbol', { symbol: name, path: at(path), newName });
      if (SAYS_NOT_OFFERED.test(answer)) return;
      assert.deepEqual([linesWith(name, directory), linesWith(newName, directory)], [[], places], answer);
      for (const clean of project.clean) assert.deepEqual(await errorsOf(one, clean), [], clean);
      assert.doesNotMatch(answer, / error /);
    }));
}

/** Last: what a server knows may name the moved file for a while. */
export function testMove(one: Tested): void {
  const { at, call, project } = one;

  it('moves a file, and names the lines that import it and what is broken', () =>
    undone(one, async (before) => {
      const { source, destination, importers } = project.move;
      const answer = await call('move_path', { source: at(source), destination: at(destination) });
      const isUpdated = (path: string) => textOf(one, path) !== before.get(path);
      for (const place of importers) {
        const [path = ''] = place.split(':');
        if (isUpdated(path)) continue;
        assert.ok(answer.includes(at(place)), `${place} is not named:\n${answer}`);
        if (project.clean.includes(path)) await namesErrors(one, answer, path);
      }
    }));
}

const errorsOf = ({ server, directory }: Tested, path: string): Promise<number[]> =>
  compilerLines(server.language, directory, path);

async function namesErrors(one: Tested, answer: string, path: string): Promise<void> {
  for (const line of await errorsOf(one, path)) {
    const named = new RegExp(`^${one.at(path)}\\n(?: .*\\n)*? +${line}:\\d+ error`, 'm');
    assert.match(answer, named, `${path}:${line} is not named:\n${answer}`);
  }
}

const edit = ({ at, call }: Tested, { path, oldText, newText }: Change, keepIf?: string): Promise<string> =>
  call('edit_file', { path: at(path), edits: [{ oldText, newText }], ...(keepIf && { keepIf }) });

const takesBack = (one: Tested, wrong: Change): Promise<void> =>
  undone(one, async (before) => {
    const answer = await edit(one, wrong, 'no_new_errors').catch(({ message }: Error) => message);
    assert.match(answer, /taken back/);
    assert.deepEqual(filesOf(one), before);
  });
