import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { FakeDiagnostic, Position, Range } from '../fakes/text.ts';
import { until, useMachine } from './harness.ts';
import { LspClient } from './lspClient.ts';
import type { TestWindow } from './testWindow.ts';

const TREES = { ws: { 'a.toy': 'one\ntwo\nthree\nfour\n', 'b.toy': 'use two\n', 'closed.toy': 'two\n' } };
const SETTINGS = { 'workspaceMcp.access.deniedPaths': ['closed.toy'] };

const PUSHED = { textDocument: { publishDiagnostics: {} } };

const at = (line: number, character = 0) => ({ line, character });
const span = (line: number, from: number, to: number) => ({ start: at(line, from), end: at(line, to) });

const problem = (message: string) => new FakeDiagnostic(new Range(0, 0, 0, 3), message, 0) as never;

describe('wire: lsp', () => {
  const clients: LspClient[] = [];
  // Before the windows are looked at, in which nothing may be left.
  afterEach(async () => {
    for (const client of clients.splice(0)) assert.equal(await client.ends(), 0);
  });
  const machine = useMachine();

  const open = async () => {
    const window = await machine.open({ trees: TREES, user: SETTINGS });
    window.fake.extensions.brings({ languages: [{ id: 'toy', extensions: ['.toy'] }] });
    window.fake.extensions.installs('toy');
    const symbol = {
      name: 'one',
      kind: 11,
      range: new Range(0, 0, 0, 3),
      selectionRange: new Range(0, 0, 0, 3),
    };
    answers(window, 'executeDocumentSymbolProvider', () => [symbol]); // so its server is known to run
    return window;
  };
  const start = () => {
    const [state, run] = ['state', 'run'].map((name) => join(machine.root, name));
    const env = { WORKSPACE_MCP_HOME: state, XDG_RUNTIME_DIR: run };
    const client = new LspClient(join(machine.root, 'ws'), env);
    clients.push(client);
    return client;
  };
  const clientOf = async (window: TestWindow, capabilities: object = PUSHED) => {
    const client = start();
    await client.initialize([window.uri()], capabilities);
    return client;
  };
  /** The user writes lines at the top, and does not save. */
  const types = (window: TestWindow, file: string, lines: string) => {
    const { person } = window.fake;
    const document = person.loads(window.path(file));
    person.types(document, lines + readFileSync(window.path(file), 'utf8'));
    return document;
  };
  const answers = (window: TestWindow, command: string, answer: (...args: never[]) => unknown) =>
    window.fake.answers.set(`vscode.${command}`, answer as never);

  it('answers about the window’s text, with the lines that the client has', async () => {
    const window = await open();
    const client = await clientOf(window);
    types(window, 'a.toy', 'new\nnew\n');
    const uri = window.uri('a.toy');
    const places = ['a.toy', 'b.toy', 'closed.toy'].map((file) =>
      window.fake.api.Uri.file(window.path(file)),
    );
    let asked: Position | undefined;
    answers(window, 'executeReferenceProvider', (_uri: unknown, position: Position) => {
      asked = position;
      return places.map((place) => ({ uri: place, range: new Range(place === places[0] ? 3 : 0, 0, 3, 3) }));
    });
    const references = () =>
      client.asks<{ uri: string; range: { start: object } }[]>('textDocument/references', {
        textDocument: { uri },
        position: at(1),
        context: { includeDeclaration: true },
      });
    for (const isOpen of [false, true]) {
      if (isOpen) client.opens(uri, TREES.ws['a.toy']);
      if (isOpen) client.opens(window.uri('b.toy'), `mine\n${TREES.ws['b.toy']}`);
      const found = await references();
      assert.deepEqual(asked, new Position(3, 0), 'asked about the window’s line');
      assert.deepEqual(
        found.map((one) => [one.uri, one.range.start]),
        [
          [uri, at(1)],
          [window.uri('b.toy'), at(isOpen ? 1 : 0)],
        ],
      );
      assert.match(client.logged.at(-1) ?? '', /1 more place is outside the workspace or closed/);
      const seen = window.agents[0]?.calls.map(({ name, about }) => `${name} ${about}`);
      assert.deepEqual([...new Set(seen)], ['textDocument/references a.toy'], 'as the user sees it');
    }
  });

  it('answers about several files of which the client has other text', async () => {
    const window = await open();
    const client = await clientOf(window);
    const [from, to] = [window.uri('a.toy'), window.uri('b.toy')];
    client.opens(from, `mine\n${TREES.ws['a.toy']}`);
    client.opens(to, `mine\n${TREES.ws['b.toy']}`);
    const target = { uri: window.fake.api.Uri.file(window.path('b.toy')), range: new Range(0, 4, 0, 7) };
    answers(window, 'executeDefinitionProvider', (_uri: unknown, { line }: Position) =>
      line === 1 ? [target] : [],
    );
    const params = { textDocument: { uri: from }, position: at(2) };
    assert.deepEqual(await client.asks('textDocument/definition', params), [
      { uri: to, range: span(1, 4, 7) },
    ]);
  });

  it('answers completions whose commands refer to themselves, though some files are closed', async () => {
    const window = await open();
    const client = await clientOf(window);
    const own: { own?: object } = {};
    own.own = own; // as TypeScript's items have their own item
    const command = { title: '', command: 'run', arguments: [own] };
    const items = [{ label: 'two', documentation: 'Of a closed file', command }];
    answers(window, 'executeCompletionItemProvider', () => ({ items }));
    const params = { textDocument: { uri: window.uri('a.toy') }, position: at(0) };
    const found = await client.asks<{ items: object[] }>('textDocument/completion', params);
    const shown = found.items.map((one) => JSON.stringify(one)).join();
    assert.match(shown, /"label":"two"/);
    assert.doesNotMatch(shown, /closed file/);
  });

  it('says that a request is cancelled once the client has cancelled it', async () => {
    const window = await open();
    const client = await clientOf(window);
    const source = new CancellationTokenSource();
    answers(window, 'executeHoverProvider', () => {
      source.cancel();
      return new Promise(() => {});
    });
    const params = { textDocument: { uri: window.uri('a.toy') }, position: at(0) };
    await assert.rejects(client.asks('textDocument/hover', params, source.token), { code: -32800 });
  });

  it('refuses places and edits in lines that differ, and changes nothing', async () => {
    const window = await open();
    const client = await clientOf(window);
    const document = types(window, 'a.toy', '');
    window.fake.person.types(document, 'one\nother\nthree\nfour\n');
    const asked = (method: string, file: string, line: number, more: object) =>
      client.asks(method, { textDocument: { uri: window.uri(file) }, position: at(line), ...more });
    const differs = (message: RegExp) => ({ code: -32801, message });
    await assert.rejects(
      asked('textDocument/hover', 'a.toy', 1, {}),
      differs(/a\.toy:2 is another line in VS Code/),
    );
    const options = { tabSize: 2, insertSpaces: true };
    const formats = () => asked('textDocument/formatting', 'a.toy', 0, { options });
    await assert.rejects(formats(), differs(/a\.toy has other text in VS Code than yours/));
    const edit = new window.fake.api.WorkspaceEdit();
    answers(window, 'executeDocumentRenameProvider', () => edit);
    const renames = (file: string) => {
      edit.replace(window.fake.api.Uri.file(window.path(file)), new Range(0, 0, 0, 3) as never, 'x');
      return asked('textDocument/rename', 'b.toy', 0, { newName: 'x' });
    };
    const changes = { [window.uri('b.toy')]: [{ range: span(0, 0, 3), newText: 'x' }] };
    assert.deepEqual(await renames('b.toy'), { changes });
    await assert.rejects(renames('a.toy'), differs(/a\.toy has other text in VS Code than yours/));
    assert.equal(document.getText(), 'one\nother\nthree\nfour\n');
  });

  it('pushes the problems of what the client writes, and nothing of other text', async () => {
    const window = await open();
    const client = await clientOf(window);
    const uri = window.uri('a.toy');
    window.fake.languages.server = (one) => (/bad/.test(one.getText()) ? [problem('Bad')] : []);
    const { person } = window.fake;
    const document = person.opensTab(window.path('a.toy'));
    person.reports(window.path('a.toy'), []);
    const writes = (text: string) => {
      window.writes('a.toy', text);
      person.types(document, text);
      document.isDirty = false; // VS Code has read it
      client.tells('textDocument/didChange', { textDocument: { uri }, contentChanges: [{ text }] });
      client.tells('textDocument/didSave', { textDocument: { uri } });
    };
    client.opens(uri, TREES.ws['a.toy']);
    assert.deepEqual(await client.problemsOf(uri), []);
    writes('bad\n');
    await until(async () => (await client.problemsOf(uri)).length > 0, 'the problem');
    assert.deepEqual(await client.problemsOf(uri), ['0 Bad']);
    writes('good\n');
    await until(async () => (await client.problemsOf(uri)).length === 0, 'no problem any more');
    person.types(document, 'bad, and not saved\n');
    const count = client.published.length;
    const pull = client.asks('textDocument/diagnostic', { textDocument: { uri } });
    await assert.rejects(pull, { code: -32803, message: /has other text in VS Code than yours/ });
    client.tells('textDocument/didSave', { textDocument: { uri } });
    await until(() => /a\.toy has other text/.test(client.logged.at(-1) ?? ''), 'why nothing is known');
    assert.equal(client.published.length, count);
    person.reverts(document);
    await until(() => client.published.length > count, 'what was not known');
  });

  it('says that a server does not offer something, at once', async () => {
    const window = await open();
    answers(window, 'prepareTypeHierarchy', () => {
      throw Object.assign(new Error('method not found'), { code: -32601 });
    });
    const client = await clientOf(window);
    const params = { textDocument: { uri: window.uri('a.toy') }, position: at(0) };
    const asked = client.asks('textDocument/prepareTypeHierarchy', params);
    await assert.rejects(asked, { code: -32803, message: /does not offer a type hierarchy/ });
  });

  it('asks for the types above and below', async () => {
    const window = await open();
    const uri = window.fake.api.Uri.file(window.path('a.toy'));
    const range = new Range(0, 0, 0, 3);
    const type = (name: string) => ({ name, kind: 4, uri, range, selectionRange: range });
    answers(window, 'prepareTypeHierarchy', () => [type('one')]);
    answers(window, 'provideSupertypes', () => [type('above')]);
    answers(window, 'provideSubtypes', () => [type('below')]);
    const client = await clientOf(window);
    const params = { textDocument: { uri: `${uri}` }, position: at(0) };
    const [item] = await client.asks<object[]>('textDocument/prepareTypeHierarchy', params);
    const names = ['supertypes', 'subtypes'].map(async (way) => {
      const found = await client.asks<{ name: string }[]>(`typeHierarchy/${way}`, { item });
      return found.map(({ name }) => name).join();
    });
    assert.deepEqual(await Promise.all(names), ['above', 'below']);
  });

  it('pushes what is wrong in files that use one that has gone', async () => {
    const tree = { 'a.py': 'x = 1\n', 'user.py': 'from a import x\n' };
    const window = await machine.open({ trees: { ws: tree } });
    window.fake.extensions.brings({ languages: [{ id: 'python', extensions: ['.py'] }] });
    window.fake.extensions.installs('python');
    const client = await clientOf(window);
    rmSync(window.path('a.py'));
    window.fake.person.opensTab(window.path('user.py'));
    window.fake.person.reports(window.path('user.py'), [problem('No module "a"')]);
    client.tells('workspace/didChangeWatchedFiles', { changes: [{ uri: window.uri('a.py'), type: 3 }] });
    assert.deepEqual(await client.problemsOf(window.uri('user.py')), ['0 No module "a"']);
  });

  it('registers the languages of the window, again when there are others', async () => {
    const window = await open();
    const dynamicRegistration = true;
    const client = await clientOf(window, { textDocument: { hover: { dynamicRegistration } } });
    await until(() => client.registered.get('textDocument/hover')?.join() === 'toy', 'it is not registered');
    window.fake.extensions.brings({ languages: [{ id: 'doll', extensions: ['.doll'] }] });
    window.fake.extensions.installs('doll');
    await until(() => client.registered.get('textDocument/hover')?.join() === 'doll,toy', 'the other one');
  });

  it('answers empty without a window, and as it should once there is one, or another one', async () => {
    mkdirSync(join(machine.root, 'ws'));
    const client = start();
    const uri = new URL(`file://${join(machine.root, 'ws', 'a.toy')}`).href;
    const can = await client.initialize([new URL('.', uri).href.replace(/\/$/, '')], PUSHED);
    assert.deepEqual([can.hoverProvider, can.diagnosticProvider], [{}, undefined]);
    client.opens(uri, TREES.ws['a.toy']);
    const hover = () =>
      client.asks<{ contents: { value: string } } | null>('textDocument/hover', {
        textDocument: { uri },
        position: at(0),
      });
    assert.equal(await hover(), null);
    assert.match(client.logged.join(), /No VS Code window/);
    const pull = client.asks('textDocument/diagnostic', { textDocument: { uri } });
    await assert.rejects(pull, { code: -32802 });
    for (const text of ['first', 'second']) {
      const window = await open();
      answers(window, 'executeHoverProvider', () => [{ contents: [text] }]);
      window.fake.person.opensTab(window.path('a.toy'));
      window.fake.person.reports(window.path('a.toy'), [problem(text)]);
      await until(async () => (await hover())?.contents.value === text, text);
      assert.equal(window.agents[0]?.name, 'LSP of toy client');
      if (text === 'first') assert.deepEqual(await client.problemsOf(uri), [`0 ${text}`]);
      await window.reloads();
    }
  });

  it('asks again what a window that reloads has left unanswered', async () => {
    const before = await open();
    let asked = 0;
    answers(before, 'executeHoverProvider', () => {
      asked++;
      return new Promise(() => {});
    });
    const client = await clientOf(before);
    const params = { textDocument: { uri: before.uri('a.toy') }, position: at(0) };
    const hover = client.asks<{ contents: { value: string } }>('textDocument/hover', params);
    await until(() => asked === 1, 'it is not asked');
    await before.reloads();
    const window = await open();
    answers(window, 'executeHoverProvider', () => [{ contents: ['after'] }]);
    assert.equal((await hover).contents.value, 'after');
  });

  it('refuses where it is switched off, and answers empty once the user has disconnected it', async () => {
    const window = await open();
    answers(window, 'executeHoverProvider', () => [{ contents: ['there'] }]);
    const client = await clientOf(window);
    const uri = window.uri('a.toy');
    const hover = () => client.asks('textDocument/hover', { textDocument: { uri }, position: at(0) });
    assert.ok(await hover());
    window.fake.person.sets('workspaceMcp.tools.disabled', ['lsp_request']);
    await assert.rejects(hover(), { code: -32803, message: /lsp_request is switched off/ });
    window.fake.person.sets('workspaceMcp.tools.disabled', []);
    assert.ok(await hover());
    window.agents[0]?.disconnect();
    await until(() => /disconnected/.test(client.logged.at(-1) ?? ''), 'it is not told');
    assert.equal(await hover(), null);
  });
});
