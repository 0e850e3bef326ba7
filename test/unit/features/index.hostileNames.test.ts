import assert from 'node:assert/strict';
import { editFile } from '../../../src/features/edit/editFile.ts';
import { openFile } from '../../../src/features/editor/openFile.ts';
import { findFiles } from '../../../src/features/files/findFiles.ts';
import { listDirectory } from '../../../src/features/files/listDirectory.ts';
import { readFile } from '../../../src/features/files/readFile.ts';
import { searchText } from '../../../src/features/files/searchText.ts';
import { workspaceFiles } from '../../../src/features/files/workspaceFiles.ts';
import { getDiagnostics } from '../../../src/features/language/getDiagnostics.ts';
import type { Tool } from '../../../src/features/tool.ts';
import { getWorkspace } from '../../../src/features/windows/getWorkspace.ts';
import { answer, problem } from './editing.ts';
import { CALL, cleanUp, openWindow } from './window.ts';

const NAME = 'a\nforged.ts\u202e';
const SHOWN = 'a\\u{a}forged.ts\\u{202e}';

describe('features/index: names that forge lines', () => {
  before(function () {
    if (process.platform === 'win32') this.skip(); // no such names
  });
  afterEach(cleanUp);

  const create = () => {
    const window = openWindow({ [NAME]: 'word', [`${NAME}d/b.ts`]: '' });
    window.fake.person.types(window.fake.person.opensTab(window.path(NAME)), 'word');
    window.fake.person.reports(window.path(NAME), [problem('wrong')]);
    window.fake.activeTextEditor = { document: window.fake.documents[0] as never };
    return window;
  };

  it('makes them visible in every list that is text, and leaves them as they are in data', async () => {
    const window = create();
    const shown = (tool: Tool, args: object) => answer(window, tool, args);
    assert.equal(await shown(listDirectory, {}), `${SHOWN} (4)\n${SHOWN}d/`);
    assert.equal(await shown(findFiles, { query: 'forged' }), `${SHOWN}\n${SHOWN}d/b.ts`);
    assert.equal(await shown(searchText, { query: 'word' }), `${SHOWN}\n1: word`);
    const checked = await shown(getDiagnostics, { paths: [NAME, 'x\ny'] });
    assert.ok(checked.startsWith(`${SHOWN}\n  1:1`), checked);
    assert.match(checked, /Not checked:\n {2}.*"x\\u\{a\}y"/);
    const workspace = await shown(getWorkspace, {});
    for (const fact of [`Active file: ${SHOWN}\n`, `Open: ${SHOWN}\n`])
      assert.ok(workspace.includes(fact), fact);
    const folder = await workspaceFiles.read(window.uri(''), window.ctx, CALL);
    assert.partialDeepStrictEqual(folder?.contents, [{ text: `${SHOWN}\n${SHOWN}d/\n` }]);
    const { structuredContent } = await window.run(getWorkspace);
    assert.partialDeepStrictEqual(structuredContent, { activeFile: NAME, unsavedFiles: [NAME] });
  });

  it('makes them visible in every error', async () => {
    const window = create();
    for (const [tool, args] of [
      [readFile, { path: `${NAME}d` }],
      [readFile, { path: NAME, startLine: 9 }],
      ...[`${NAME}x`, `/${NAME}`, `file://${NAME}`, `.git/${NAME}`].map(
        (path) => [readFile, { path }] as const,
      ),
      [listDirectory, { path: NAME }],
      [openFile, { path: NAME, line: 9 }],
      [editFile, { path: NAME, edits: [{ oldText: 'x', newText: 'y' }] }],
    ] as const)
      await assert.rejects(window.run(tool, args), ({ message }: Error) => {
        assert.ok(message.includes(SHOWN), message);
        return !/[\n\u202e]/.test(message);
      });
    for (const [tool, args, said] of [
      [findFiles, { query: `${NAME}x` }, `No file matches "${SHOWN}x" among`],
      [searchText, { query: 'xyz', include: ['x\u202ey'] }, 'matches include: x\\u{202e}y.'],
    ] as const)
      assert.ok((await answer(window, tool, args)).includes(said), said);
  });

  it('makes them visible in hits, where tabs stay, and in messages of problems, whose lines are indented', async () => {
    const window = openWindow({ 'a.ts': '\tlet x = "\u202e\u001b[31m";\n' });
    const hit = 'a.ts\n1: \tlet x = "\\u{202e}\\u{1b}[31m";';
    assert.equal(await answer(window, searchText, { query: 'let' }), hit);
    window.fake.person.opensTab(window.path('a.ts'));
    window.fake.person.reports(window.path('a.ts'), [problem('wrong\nforged.ts\u202e')]);
    const problems = await answer(window, getDiagnostics);
    assert.match(problems, /^a\.ts\n {2}1:1 error wrong\n {4}forged\.ts\\u\{202e\}\n/);
  });
});
