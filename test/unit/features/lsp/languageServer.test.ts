import assert from 'node:assert/strict';
import { DOOR_TOOL, type DoorAnswer, LANGUAGES } from '../../../../src/core/lsp/door.ts';
import { doorSource } from '../../../../src/features/lsp/languageServer.ts';
import { textHash } from '../../../../src/util/textHash.ts';
import { Position, Range } from '../../../fakes/text.ts';
import { placesOf, renames, withServer } from '../symbols/server.ts';
import { cleanUp, type Window } from '../window.ts';

const TREE = {
  'src/a.ts': 'const only = 1;\n',
  'src/b.ts': 'const two = only;\nonly();\n',
  'src/c.ts': 'const c = only; // key=abcd\n',
};

const at = (line: number, character: number) => ({ line, character });
const span = (line: number, from: number, to: number) => ({ start: at(line, from), end: at(line, to) });

describe('features/lsp/languageServer', () => {
  let window: Window;
  beforeEach(() => {
    window = withServer(TREE, { user: { 'workspaceMcp.access.redact': ['key=\\w+'] } });
  });
  afterEach(cleanUp);

  async function ask(method: string, params: object, more: object = {}): Promise<DoorAnswer> {
    const tool = doorSource.find(DOOR_TOOL, window.ctx) ?? assert.fail();
    const { result } = (await window.run(tool, { method, params, open: {}, ...more })) as never as {
      result: { structuredContent: DoorAnswer };
    };
    return result.structuredContent;
  }
  const inFile = (file: string, params: object) => ({ textDocument: { uri: window.uri(file) }, ...params });
  const answers = (command: string, answer: (...args: unknown[]) => unknown) =>
    window.fake.answers.set(`vscode.${command}`, answer);
  /** The user writes a line at the top of a file, and does not save. */
  const types = (file: string) => {
    const { person } = window.fake;
    person.types(person.loads(window.path(file)), `// new\n${TREE[file as keyof typeof TREE]}`);
  };

  it('names the languages that have a server, by their files', async () => {
    window.fake.extensions.brings({
      languages: [
        { id: 'typescript', extensions: ['.ts', '.mts'] },
        { id: 'typescript', extensions: ['.cts'] },
        { id: 'plain', extensions: ['.txt'] },
      ],
    });
    const typescript = { id: 'typescript', extensions: ['.cts', '.mts', '.ts'] };
    assert.deepEqual((await ask(LANGUAGES, {})).result, [typescript]);
  });

  it('asks for a text of the client that is not the window’s', async () => {
    const params = inFile('src/a.ts', { position: at(1, 6), context: {} });
    const text = `// own\n${TREE['src/a.ts']}`;
    const open = { [window.uri('src/a.ts')]: textHash(text) };
    const position: unknown[] = [];
    answers('executeReferenceProvider', (_uri, asked) => {
      position.push(asked);
      return placesOf(window, 'only', 'src/a.ts', 'src/b.ts');
    });
    assert.deepEqual(await ask('textDocument/references', params, { open }), { needs: Object.keys(open) });
    const texts = { [window.uri('src/a.ts')]: text };
    const { result } = await ask('textDocument/references', params, { open, texts });
    assert.deepEqual(position, [new Position(0, 6)]);
    assert.deepEqual((result as { range: object }[])[0]?.range, span(1, 6, 10));
    const spelled = window.uri('src/a.ts').replace('a.ts', '%61.ts');
    const other = { open: { [spelled]: textHash(text) }, texts: { [spelled]: text } };
    const again = (await ask('textDocument/references', params, other)).result as {
      uri: string;
      range: object;
    }[];
    assert.deepEqual([again[0]?.uri, again[0]?.range], [spelled, span(1, 6, 10)], 'as the client spells it');
    const same = { open: { [window.uri('src/a.ts')]: textHash('\uFEFFconst only = 1;\r\n') } };
    const first = inFile('src/a.ts', { position: at(0, 6), context: {} });
    assert.ok(
      (await ask('textDocument/references', first, same)).result,
      'ends of lines and a byte order mark are no other text',
    );
  });

  it('leaves the declaration out of references, where the client asks for that', async () => {
    answers('executeReferenceProvider', () => placesOf(window, 'only', 'src/a.ts', 'src/b.ts'));
    answers('executeDefinitionProvider', () => {
      const [place] = placesOf(window, 'only', 'src/a.ts');
      const whole = new Range(0, 0, 0, 15);
      return [{ targetUri: place?.uri, targetRange: whole, targetSelectionRange: place?.range }];
    });
    answers('executeDeclarationProvider', () => []);
    const found = async (includeDeclaration: boolean) => {
      const params = inFile('src/a.ts', { position: at(0, 6), context: { includeDeclaration } });
      return ((await ask('textDocument/references', params)).result as object[]).length;
    };
    assert.deepEqual([await found(true), await found(false)], [3, 2]);
  });

  it('maps the places of a hierarchy, there and back', async () => {
    types('src/b.ts');
    const [place = assert.fail()] = placesOf(window, 'only', 'src/a.ts');
    const [caller = assert.fail(), use = assert.fail()] = placesOf(window, 'only', 'src/b.ts');
    const item = { name: 'only', kind: 11, ...place, selectionRange: place.range };
    const from = { name: 'two', kind: 11, ...caller, selectionRange: caller.range };
    answers('prepareCallHierarchy', (uri) => [`${uri}` === window.uri('src/b.ts') ? from : item]);
    answers('provideIncomingCalls', () => [{ from, fromRanges: [use.range] }]);
    const params = inFile('src/a.ts', { position: at(0, 6) });
    const [prepared] = (await ask('textDocument/prepareCallHierarchy', params)).result as object[];
    const { result } = await ask('callHierarchy/incomingCalls', { item: prepared });
    const [call] = result as { from: { selectionRange: object }; fromRanges: object[] }[];
    assert.deepEqual([call?.from.selectionRange, call?.fromRanges], [span(0, 12, 16), [span(1, 0, 4)]]);
    const further = await ask('callHierarchy/incomingCalls', { item: call?.from });
    assert.ok(further.result, further.error?.message);
  });

  it('tells the edits of code actions without their commands, of all kinds that are asked for', async () => {
    const asked: unknown[] = [];
    answers('executeCodeActionProvider', (_uri, _range, kind) => {
      asked.push(kind);
      const uri = window.fake.api.Uri.file(window.path('src/a.ts'));
      const text = { _type: 2, uri, edit: { range: new Range(0, 0, 0, 5), newText: 'let' } };
      const command = { title: 'x', command: 'run' };
      return [
        { title: `fix ${kind}`, command, edit: { _allEntries: () => [text] } },
        { title: 'only a command', command },
      ];
    });
    const params = inFile('src/a.ts', { range: span(0, 0, 1), context: { only: ['quickfix', 'source'] } });
    const { result } = await ask('textDocument/codeAction', params);
    const changes = { [window.uri('src/a.ts')]: [{ range: span(0, 0, 5), newText: 'let' }] };
    const action = (kind: string) => ({ title: `fix ${kind}`, edit: { changes } });
    assert.deepEqual(
      [asked, result],
      [
        ['quickfix', 'source'],
        [action('quickfix'), action('source')],
      ],
    );
  });

  it('tells completions without those whose edits are in lines that the client does not have', async () => {
    types('src/b.ts');
    const edit = (line: number) => ({ range: new Range(line, 0, line, 0), newText: 'x' });
    const item = (label: string, line: number) => ({ label, additionalTextEdits: [edit(line)] });
    answers('executeCompletionItemProvider', () => ({ items: [item('first', 0), item('second', 1)] }));
    const { result } = await ask('textDocument/completion', inFile('src/b.ts', { position: at(1, 0) }));
    const { items } = result as { items: { label: string; additionalTextEdits: object[] }[] };
    assert.deepEqual(
      items.map(({ label }) => label),
      ['second'],
    );
    assert.deepEqual(items[0]?.additionalTextEdits, [{ range: span(0, 0, 0), newText: 'x' }]);
  });

  it('tells no edit that has hidden parts, because a client would write what stands for them', async () => {
    answers('executeFormatDocumentProvider', () => [{ range: new Range(0, 0, 0, 5), newText: 'key=abcd' }]);
    const options = { tabSize: 2, insertSpaces: true };
    const { error } = await ask('textDocument/formatting', inFile('src/c.ts', { options }));
    assert.match(error?.message ?? '', /parts that are hidden from agents/);
    renames(window, 'only', 'src/a.ts');
    const params = inFile('src/a.ts', { position: at(0, 6), newName: 'one' });
    assert.ok((await ask('textDocument/rename', params)).result);
  });

  it('tells the code actions that have no hidden parts, beside one that has', async () => {
    answers('executeCodeActionProvider', () =>
      ['key=abcd', 'let'].map((newText) => {
        const uri = window.fake.api.Uri.file(window.path('src/a.ts'));
        const text = { _type: 2, uri, edit: { range: new Range(0, 0, 0, 5), newText } };
        return { title: 'Fix', edit: { _allEntries: () => [text] } };
      }),
    );
    const params = inFile('src/a.ts', { range: span(0, 0, 1), context: {} });
    const { result, error } = await ask('textDocument/codeAction', params);
    const changes = { [window.uri('src/a.ts')]: [{ range: span(0, 0, 5), newText: 'let' }] };
    assert.deepEqual([result, error], [[{ title: 'Fix', edit: { changes } }], undefined]);
  });

  it('says what is left out', async () => {
    answers('executeReferenceProvider', () => []);
    const params = inFile('src/a.ts', { position: at(0, 6), context: {} });
    const { result, note } = await ask('textDocument/references', params);
    assert.deepEqual(result, []);
    assert.match(note ?? '', /There are none, or no extension provides references/);
    const closed = await ask('textDocument/hover', inFile('../x.ts', { position: at(0, 0) }));
    assert.match(closed.error?.message ?? '', /outside the workspace/);
  });
});
