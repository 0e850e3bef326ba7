import assert from 'node:assert/strict';
import { noteBehind } from '../../../../src/workspace/edit/behind.ts';
import { Journal } from '../../../../src/workspace/edit/journal.ts';
import { FakeVscode } from '../../../fakes/vscode.ts';
import { cleanUp, folderWith } from '../openWindow.ts';

describe('workspace/edit/behind', () => {
  afterEach(cleanUp);

  it('knows unsaved text that is older than what was written on the disk, until it is saved or reverted', () => {
    const [before, after] = ['a\nb\nb\n', 'a\nb\nb\nN\n}\n'];
    const folder = folderWith({ 'a.ts': after });
    const { api, person } = FakeVscode.create({ folders: [folder] });
    const journal = new Journal();
    const document = person.loads(`${folder}/a.ts`);
    const isBehindWith = (text: string, isDirty = true) => {
      person.types(document, text);
      document.isDirty = isDirty;
      const deed = { type: 'edit', uri: document.uri, path: 'a.ts', before, after } as const;
      noteBehind({ vscode: api, journal }, [deed]);
      const is = journal.isBehind(document as never);
      document.isDirty = false;
      return [is, journal.isBehind(document as never)];
    };
    assert.deepEqual(isBehindWith('a\nb\n}\n'), [true, false]);
    assert.deepEqual(isBehindWith(`typed\n${before}`), [true, false]);
    assert.deepEqual(isBehindWith(`typed\n${after}`), [false, false]);
    assert.deepEqual(isBehindWith(before, false), [false, false]);
  });
});
