import assert from 'node:assert/strict';
import { basename } from 'node:path';
import type { Diagnostic } from 'vscode';
import { fieldsOf } from '../../../../src/core/json.ts';
import { getWorkspace } from '../../../../src/features/windows/getWorkspace.ts';
import { FakeDiagnostic, Range } from '../../../fakes/text.ts';
import { Uri } from '../../../fakes/values.ts';
import { cleanUp, openWindow, textsOf } from '../window.ts';

const problem = (severity: number) =>
  new FakeDiagnostic(new Range(0, 0, 0, 1), 'x', severity) as unknown as Diagnostic;

describe('features/windows/getWorkspace', () => {
  afterEach(cleanUp);

  it('tells which project this is and what the person has in front of them', async () => {
    const window = openWindow({ 'a.ts': '', 'b.ts': '', 'c.ts': '' });
    const { person } = window.fake;
    const a = person.opensTab(window.path('a.ts'));
    person.types(person.opensTab(window.path('b.ts')), 'typed');
    person.reports(window.path('c.ts'), [problem(0), problem(1), problem(1), problem(3)]);
    window.fake.activeTextEditor = { document: a, selection: undefined };
    const result = await window.run(getWorkspace);
    const folder = window.path('');
    assert.deepEqual(result.structuredContent, {
      window: 'window-1',
      folders: [{ name: basename(folder), path: folder }],
      trusted: true,
      activeFile: 'a.ts',
      openFiles: ['a.ts', 'b.ts'],
      unsavedFiles: ['b.ts'],
      problems: { errors: 1, warnings: 2 },
      editor: 'Fake Code 1.101.0',
    });
    const [text = ''] = textsOf(result);
    const facts = ['Active file: a.ts', 'Open: a.ts, b.ts', 'Unsaved: b.ts', '1 errors, 2 warnings'];
    for (const fact of [folder, ...facts]) assert.ok(text.includes(fact), fact);
  });

  it('names the file of the workspace, unless it is closed', async () => {
    const workspaceFile = Uri.file('/elsewhere/own.code-workspace');
    const named = async (...denied: string[]) => {
      const user = { 'workspaceMcp.access.deniedPaths': denied };
      const { structuredContent } = await openWindow({}, { workspaceFile, user }).run(getWorkspace);
      return fieldsOf(structuredContent).workspaceFile;
    };
    assert.deepEqual([await named(), await named('*.code-workspace')], [workspaceFile.fsPath, undefined]);
  });

  it('names no secret, nothing outside, nothing outside the roots of the client, and tells if it is not trusted', async () => {
    const tree = { 'in/a.ts': '', 'b.ts': '', '.env': 'SECRET=1' };
    const window = openWindow(tree);
    const narrowed = openWindow(tree, { folders: [window.path('')], roots: [window.path('in')] });
    for (const [{ fake, run }, expected] of [
      [window, ['in/a.ts', 'b.ts']],
      [narrowed, ['in/a.ts']],
    ] as const) {
      for (const file of ['in/a.ts', 'b.ts', '.env'])
        fake.person.types(fake.person.opensTab(window.path(file)), 'x');
      fake.person.types(fake.person.loads('/elsewhere/notes.md', ''), 'x');
      fake.person.reports(window.path('.env'), [problem(0)]);
      fake.activeTextEditor = { document: fake.person.loads(window.path('.env')), selection: undefined };
      const result = await run(getWorkspace);
      assert.partialDeepStrictEqual(result.structuredContent, {
        openFiles: expected,
        unsavedFiles: expected,
        problems: { errors: 0, warnings: 0 }, // what get_diagnostics tells as well
      });
      assert.doesNotMatch(JSON.stringify(result), /\.env|notes|activeFile/);
    }
    const untrusted = await openWindow({}, { isTrusted: false }).run(getWorkspace);
    assert.partialDeepStrictEqual(untrusted.structuredContent, { trusted: false });
    assert.match(textsOf(untrusted)[0] ?? '', /not trusted/);
  });
});
