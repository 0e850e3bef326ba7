import assert from 'node:assert/strict';
import { lspRequest } from '../../../../src/features/language/lspRequest.ts';
import { Position, Range } from '../../../fakes/text.ts';
import { placesOf, renames, withServer } from '../symbols/server.ts';
import { cleanUp, textsOf, type Window } from '../window.ts';

const TREE = {
  'src/a.ts': 'const only = 1;\n',
  'src/b.ts': 'const two = only;\n',
  'src/c.ts': 'const c = only; // key=abcd\n',
  'src/d.txt': 'apple\n',
  '.env': 'only=secret',
};

const open = () => withServer(TREE, { user: { 'workspaceMcp.access.redact': ['key=\\w+'] } });
const at = (line: number, character: number) => ({ position: { line, character } });
const span = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
});

/** Sends a request about `src/a.ts`, or another file. */
async function request(window: Window, method: string, params: object = {}, more: object = {}) {
  const all = { textDocument: { uri: 'src/a.ts' }, ...params };
  const [json = '', note] = textsOf(await window.run(lspRequest, { method, params: all, ...more }));
  return { json, note, result: () => JSON.parse(json) };
}

const answers = (window: Window, command: string, answer: (...args: unknown[]) => unknown) =>
  window.fake.answers.set(`vscode.${command}`, answer);

describe('features/language/lspRequest', () => {
  let window: Window;
  beforeEach(() => {
    window = open();
  });
  afterEach(cleanUp);

  it('takes a path or a URI, and positions from 0', async () => {
    for (const uri of ['src/a.ts', window.uri('src/a.ts')]) {
      answers(window, 'executeHoverProvider', (file, position) => {
        assert.deepEqual([`${file}`, position], [window.uri('src/a.ts'), new Position(0, 6)]);
        return [{ contents: [{ value: 'See [b](file:///b.ts), [web](https://a.org).' }, 'two'] }];
      });
      const { result } = await request(window, 'textDocument/hover', { textDocument: { uri }, ...at(0, 6) });
      const value = 'See [b], [web](https://a.org).\n\ntwo';
      assert.deepEqual(result(), { contents: { kind: 'markdown', value } });
    }
  });

  it('lists the methods if there is no such one, and shows what params are expected', async () => {
    const nearest = /VS Code has no command for .* Nearest: textDocument\/hover,.* workspace\/symbol\.$/;
    await assert.rejects(request(window, 'textDocument/hovers'), nearest);
    await assert.rejects(request(window, 'toString'), /no command for the method/);
    const only = { range: span(0, 0, 1), context: { only: ['a', 'b'] } };
    for (const [method, params, message] of [
      ['hover', {}, /params\.position must be \{"line":0,"character":0\}, 0-based/],
      ['hover', at(-1, 0), /params\.position must be/],
      ['inlayHint', { range: { start: at(0, 0).position } }, /params\.range\.end must be/],
      ['selectionRange', { positions: [null] }, /params\.positions\.0 must be/],
      ['formatting', { options: { tabSize: 2 } }, /params\.options must be \{"tabSize":2,/],
      ['rename', at(0, 6), /params\.newName must be a string/],
      ['codeAction', only, /list of one kind/],
      ['hover', { textDocument: null }, /params\.textDocument\.uri must be a string/],
    ] as const)
      await assert.rejects(request(window, `textDocument/${method}`, params), message);
  });

  it('leaves out places in closed files, and counts them', async () => {
    answers(window, 'executeDefinitionProvider', () => placesOf(window, 'only', 'src/a.ts', '.env'));
    const { result, note } = await request(window, 'textDocument/definition', at(0, 6));
    assert.deepEqual(result(), [{ uri: window.uri('src/a.ts'), range: span(0, 6, 10) }]);
    assert.equal(note, '1 more place is outside the workspace or closed to you.');
    const closed = { textDocument: { uri: '.env' }, ...at(0, 0) };
    await assert.rejects(request(window, 'textDocument/definition', closed), /closed to agents/);
  });

  it('leaves out documentation that may be of a closed file, if something is closed', async () => {
    const documented = async (...denied: string[]) => {
      const window = withServer(TREE, { user: { 'workspaceMcp.access.deniedPaths': denied } });
      const signatures = [{ label: 'f(x)', documentation: 'SECRET', parameters: [] }];
      answers(window, 'executeSignatureHelpProvider', () => ({ signatures, activeSignature: 0 }));
      return (await request(window, 'textDocument/signatureHelp', at(0, 6))).json;
    };
    assert.match(await documented(), /f\(x\).*SECRET/);
    assert.match(await documented('closed/'), /^(?!.*SECRET).*f\(x\)/);
  });

  it('tells the edit of a rename, or refuses it as a whole', async () => {
    const rename = (...files: string[]) => {
      renames(window, 'only', ...files);
      return request(window, 'textDocument/rename', { ...at(0, 6), newName: 'one' });
    };
    const { result } = await rename('src/a.ts', 'src/b.ts');
    const changes = {
      [window.uri('src/a.ts')]: [{ range: span(0, 6, 10), newText: 'one' }],
      [window.uri('src/b.ts')]: [{ range: span(0, 12, 16), newText: 'one' }],
    };
    assert.deepEqual(result(), { changes });
    await assert.rejects(rename('src/a.ts', '.env'), /also changes 1 file outside the workspace or closed/);
    assert.equal(window.consent.questions.length, 0);
  });

  it('tells the edits of code actions, except those of closed or new files', async () => {
    const { Uri } = window.fake.api;
    const action = (file: string, created: string) => {
      const [uri, to] = [file, created].map((path) => Uri.file(window.path(path)));
      const text = { _type: 2, uri, edit: { range: new Range(0, 0, 0, 5), newText: 'let' } };
      const creates = { _type: 1, to, options: { ignoreIfExists: true } };
      const command = { title: 'x', command: 'run', arguments: [] as unknown[] };
      command.arguments.push(command);
      return { title: 'x', command, edit: { _allEntries: () => [creates, text] } };
    };
    answers(window, 'executeCodeActionProvider', () => [
      action('src/a.ts', 'src/a.ts'),
      action('.env', 'src/a.ts'),
      action('src/a.ts', 'src/new.ts'),
    ]);
    const { result } = await request(window, 'textDocument/codeAction', { range: span(0, 0, 1) });
    const edit = { changes: { [window.uri('src/a.ts')]: [{ range: span(0, 0, 5), newText: 'let' }] } };
    assert.deepEqual(result()[0], { title: 'x', command: { title: 'x', command: 'run' }, edit });
    for (const [index, reason] of [/also changes 1 file/, /also creates, moves or deletes files/].entries()) {
      assert.equal(result()[index + 1].edit, undefined);
      assert.match(result()[index + 1].disabled.reason, reason);
    }
  });

  it('redacts what servers quote', async () => {
    answers(window, 'executeHoverProvider', () => [{ contents: [{ value: 'is key=abcd' }] }]);
    const hover = await request(window, 'textDocument/hover', at(0, 6));
    assert.equal(hover.result().contents.value, 'is [redacted]');
    const inC = { textDocument: { uri: 'src/c.ts' }, ...at(0, 6) };
    const onSecret = await request(window, 'textDocument/hover', inC);
    assert.equal(onSecret.result().contents.value, '[redacted]');
    const [location] = placesOf(window, 'key', 'src/c.ts');
    answers(window, 'executeWorkspaceSymbolProvider', () => [{ name: 'key=abcd', kind: 11, location }]);
    const { result } = await request(window, 'workspace/symbol', { query: 'key' });
    assert.partialDeepStrictEqual(result(), [{ name: '[redacted]', kind: 12 }]);
    answers(window, 'executeFormatDocumentProvider', () => [
      { range: new Range(0, 5, 0, 6), newText: 'key=abcd' },
    ]);
    const options = { tabSize: 2, insertSpaces: true };
    const edits = await request(window, 'textDocument/formatting', { options });
    assert.partialDeepStrictEqual(edits.result(), [{ newText: '[redacted]' }]);
    answers(window, 'executeHoverProvider', () => {
      throw new Error('cannot parse key=abcd');
    });
    const failed = request(window, 'textDocument/hover', at(0, 6));
    await assert.rejects(failed, /textDocument\/hover failed: cannot parse \[redacted\]$/);
  });

  it('has the symbols of a name before headings that contain it', async () => {
    const [location] = placesOf(window, 'only', 'src/a.ts');
    const names = ['# only', '## a only', 'only2', 'A.only', 'only'];
    answers(window, 'executeWorkspaceSymbolProvider', () =>
      names.map((name) => ({ name, kind: 11, location })),
    );
    const { result } = await request(window, 'workspace/symbol', { query: 'only' });
    const found = (result() as { name: string }[]).map(({ name }) => name);
    assert.deepEqual(found, ['only', 'A.only', 'only2', '# only', '## a only']);
  });

  it('prepares the item of a hierarchy again', async () => {
    const [place = assert.fail()] = placesOf(window, 'only', 'src/a.ts');
    const prepared = { name: 'only', kind: 11, ...place, selectionRange: place.range };
    answers(window, 'prepareCallHierarchy', () => [prepared]);
    answers(window, 'provideIncomingCalls', (item) => {
      assert.equal(item, prepared);
      return [{ from: prepared, fromRanges: [place.range] }];
    });
    const [item] = (await request(window, 'textDocument/prepareCallHierarchy', at(0, 6))).result();
    const { result } = await request(window, 'callHierarchy/incomingCalls', { item });
    assert.deepEqual(result(), [{ from: item, fromRanges: [span(0, 6, 10)] }]);
    const other = request(window, 'callHierarchy/incomingCalls', {
      item: { ...item, selectionRange: span(0, 0, 5) },
    });
    await assert.rejects(other, /Prepare the hierarchy again/);
  });

  it('completes no words of other files, and says why there is nothing', async () => {
    const words = ['apple', 'secret'].map((label) => ({ label, kind: 0, range: new Range(0, 0, 0, 0) }));
    const items = [...words, { label: 'secret()', kind: 2 }];
    answers(window, 'executeCompletionItemProvider', () => ({ items }));
    const inText = { textDocument: { uri: 'src/d.txt' }, ...at(0, 0) };
    const { result } = await request(window, 'textDocument/completion', inText);
    const [apple, call, ...others] = result().items;
    assert.deepEqual(apple.textEdit, { newText: 'apple', range: span(0, 0, 0) });
    assert.deepEqual([apple.label, call.label, call.textEdit, others], ['apple', 'secret()', undefined, []]);
    const none = await request(window, 'textDocument/signatureHelp', inText);
    const why = 'No extension provides signature help for "plaintext".';
    assert.deepEqual([none.result(), none.note], [null, why]);
  });

  it('cuts lists, and says so', async () => {
    answers(window, 'executeReferenceProvider', () => placesOf(window, 'only', 'src/a.ts', 'src/b.ts'));
    const two = await request(window, 'textDocument/references', at(0, 6), { limit: 1 });
    assert.deepEqual([two.result().length, two.note], [1, '1 more item: raise limit and maxCharacters.']);
    answers(window, 'provideDocumentSemanticTokens', () => ({ data: new Uint32Array(15) }));
    const legend = { tokenTypes: ['class'], tokenModifiers: [] };
    answers(window, 'provideDocumentSemanticTokensLegend', () => legend);
    const tokens = await request(window, 'textDocument/semanticTokens/full', {}, { limit: 2 });
    assert.deepEqual(tokens.result(), { legend, data: Array(10).fill(0) });
    answers(window, 'executeHoverProvider', () => [{ contents: ['x'.repeat(2_000)] }]);
    const long = await request(window, 'textDocument/hover', at(0, 6), { maxCharacters: 1_000 });
    assert.equal(long.json.length, 1_000);
    assert.match(long.note ?? '', /^Not the whole JSON, but 1000 of 2\d+ characters: raise maxCharacters\.$/);
  });
});
