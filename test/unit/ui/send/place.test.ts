import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { placeOf, selectedInTerminal } from '../../../../src/ui/send/place.ts';
import { Range, Selection } from '../../../fakes/text.ts';
import { Uri } from '../../../fakes/values.ts';

const folder = { uri: Uri.file('/w'), name: 'w', index: 0 };
const workspace = {
  workspaceFolders: [folder],
  getWorkspaceFolder: (uri: vscode.Uri) => (uri.path.startsWith('/w/') ? folder : undefined),
};
const file = (name: string) => Uri.file(`/w/${name}`);

describe('ui/send/place: what is sent to an agent', () => {
  beforeEach(() => Object.assign(vscode.workspace, workspace));
  afterEach(() => {
    Object.assign(vscode.workspace, { workspaceFolders: undefined, getWorkspaceFolder: undefined });
    Object.assign(vscode.debug, { activeStackItem: undefined });
    Object.assign(vscode.window, { activeTextEditor: undefined });
  });
  const textOf = async (...given: unknown[]) => (await placeOf(...given))?.text;

  it('is the selection, whole lines by their numbers; nothing without an editor', async () => {
    assert.equal(await placeOf(), undefined);
    const selections = [new Selection(11, 0, 13, 0), new Selection(20, 3, 20, 3)];
    const document = { uri: file('src/a.ts') };
    Object.assign(vscode.window, { activeTextEditor: { document, selections } });
    assert.equal(await textOf(), '@src/a.ts:12-13 @src/a.ts:21');
    assert.equal(await textOf(file('src/a.ts')), '@src/a.ts:12-13 @src/a.ts:21'); // the editor's menu
  });

  it('is files of the Explorer or of source control', async () => {
    assert.equal(await textOf(file('a.ts'), [file('a.ts'), file('发票.ts')]), '@a.ts @发票.ts');
    const states = ['a.ts', 'b.ts', 'c.ts'].map((name) => ({ resourceUri: file(name) }));
    assert.equal(await textOf(...states), '@a.ts @b.ts @c.ts');
    const many = Array.from({ length: 25 }, (_, i) => file(`${i}.ts`));
    assert.match((await textOf(many[0], many)) ?? '', /@19\.ts \(5 more\)$/);
  });

  it('is a problem, a test with its failure, a conversation', async () => {
    const range = new Range(4, 0, 4, 3);
    const diagnostic = { message: 'Not found.', range, severity: 0, source: 'ts', code: { value: 2304 } };
    assert.equal(await textOf({ uri: file('a.ts'), diagnostic }), '@a.ts:5 error ts 2304: Not found.');
    const test = { label: 'adds', uri: file('a.test.ts'), range };
    assert.equal(await textOf(test), 'Test "adds" @a.test.ts:5');
    const message = { message: { value: 'expected 2' }, location: { uri: file('a.ts'), range } };
    assert.equal(await textOf({ test, message }), 'Test "adds" @a.test.ts:5 failed at @a.ts:5:\nexpected 2');
    const thread = {
      label: 'Comment 3',
      uri: file('a.ts'),
      range,
      comments: [{ body: 'why?' }, { body: { value: 'so' } }],
    };
    assert.equal(await textOf(thread), 'Comment 3 @a.ts:5: why?\nso');
  });

  it('is the selected frame with its variables', async () => {
    const answers: Record<string, object> = {
      stackTrace: { stackFrames: [{ id: 7, name: 'add', line: 3, source: { path: '/w/a.ts' } }] },
      scopes: { scopes: [{ variablesReference: 1, expensive: false }] },
      variables: { variables: [{ name: 'n', value: '{ a: 1,\n  b: 2 }' }] },
    };
    const session = { customRequest: async (name: string) => answers[name] };
    Object.assign(vscode.debug, { activeStackItem: { session, threadId: 1, frameId: 7 } });
    const frame = (line: number) => ({
      sessionId: 's',
      frameName: 'add',
      frameLocation: { range: { startLineNumber: line }, source: { path: '/w/a.ts' } },
    });
    assert.equal(await textOf('file:///w/a.ts', frame(9)), 'Stopped in add @a.ts:9'); // another one
    const place = await placeOf('file:///w/a.ts', frame(3));
    assert.equal(place?.text, 'Stopped in add @a.ts:3\nn = { a: 1, b: 2 }');
    assert.deepEqual(
      place.uris.map(({ path }) => path),
      ['/w/a.ts'],
    );
  });

  it('is what the terminal has selected, and the clipboard has its old text', async () => {
    let text = 'of the user';
    const clipboard = {
      readText: async () => text,
      writeText: async (value: string) => {
        text = value;
      },
    };
    Object.assign(vscode.env, { clipboard });
    Object.assign(vscode.commands, { executeCommand: async () => clipboard.writeText('ls\nerror\n') });
    assert.equal((await selectedInTerminal())?.text, 'In the terminal:\nls\nerror');
    assert.equal(text, 'of the user');
  });
});
