import assert from 'node:assert/strict';
import {
  resolveSymbol,
  type SymbolArguments,
} from '../../../../../src/services/language/symbols/resolveSymbol.ts';
import { Range } from '../../../../fakes/text.ts';
import { withServer } from '../../../features/symbols/server.ts';
import { cleanUp, type Window } from '../../../features/window.ts';

const TREE = {
  'a.ts': 'class A {\n  run(a) {\n  }\n  run(b) {\n    return this.run(b) + run;\n  }\n}\n',
  'b.ts': 'class B {\n  run() {\n  }\n}\nconst only = new A();\n',
  'c.txt': 'only text',
  '.env': 'const secret = 1;',
};
const { signal } = new AbortController();

async function resolved(wanted: SymbolArguments, window: Window = withServer(TREE)): Promise<string> {
  const { name, location, position } = await resolveSymbol(wanted, window.ctx, signal);
  return `${name} ${location.path}:${position.line + 1}:${position.character + 1}`;
}

describe('services/language/symbols/resolveSymbol', () => {
  afterEach(cleanUp);

  for (const [wanted, expected] of [
    [{ symbol: 'A', path: 'a.ts' }, 'A a.ts:1:7'],
    [{ symbol: 'run[2]', path: 'a.ts' }, 'A/run[2] a.ts:4:3'],
    [{ symbol: 'only' }, 'only b.ts:5:7'],
    [{ symbol: 'B/run' }, 'B/run b.ts:2:3'],
    [{ path: 'a.ts', line: 5 }, 'A/run[2] a.ts:4:3'],
    [{ path: 'b.ts', line: 5, symbol: 'A' }, 'A b.ts:5:18'],
    [{ path: 'a.ts', line: 5, column: 27 }, 'run a.ts:5:27'],
  ] as const)
    it(`finds ${JSON.stringify(wanted)}`, async () => assert.equal(await resolved(wanted), expected));

  it('asks the servers for a symbol of any file, and passes over closed ones', async () => {
    const window = withServer(TREE);
    const infos = ['b.ts', '.env'].map((file) => {
      const uri = window.fake.api.Uri.file(window.path(file));
      return { name: 'only', kind: 13, location: { uri, range: new Range(0, 0, 0, 1) } };
    });
    window.fake.answers.set('vscode.executeWorkspaceSymbolProvider', () => infos);
    assert.equal(await resolved({ symbol: 'only' }, window), 'only b.ts:5:7');
  });

  it('escapes names that forge lines', async () => {
    const window = withServer(TREE);
    const name = 'a\n  forged\u202e';
    const ranges = [0, 1].map((line) => new Range(line, 0, line, 1));
    const forged = ranges.map((range) => ({ name, kind: 4, range, selectionRange: range }));
    window.fake.answers.set('vscode.executeDocumentSymbolProvider', () => forged);
    for (const symbol of [name, `${name}d`])
      await assert.rejects(resolved({ symbol, path: 'a.ts' }, window), ({ message }: Error) => {
        assert.match(message, /names 2 symbols|Nearest/);
        return !/\n {2}forged|\u202e/.test(message);
      });
  });

  it('looks at unsaved text', async () => {
    const window = withServer(TREE);
    const document = window.fake.person.opensTab(window.path('b.ts'));
    window.fake.person.types(document, 'const fresh = 1;\n');
    assert.equal(await resolved({ symbol: 'fresh' }, window), 'fresh b.ts:1:7');
    await assert.rejects(resolved({ symbol: 'B', path: 'b.ts' }, window), /no symbol "B" in b\.ts/);
  });

  it('means a symbol at the top level, not one in a function or, unless code changes, a member of that name', async () => {
    const window = withServer({
      'a.ts': 'const key = 1;\nclass A {\n  run() {\n    const key = 2;\n    const own = 1;\n  }\n}\n',
      'b.ts': 'const main = () => {\n  const key = 3;\n}\nconst own = 2;\n',
      'c.ts': 'class C {\n  own() {\n  }\n}\n',
    });
    const found = async (wanted: SymbolArguments) => {
      const { name, location, position, namesakes = [] } = await resolveSymbol(wanted, window.ctx, signal);
      const others = namesakes.map(({ path, outline }) => `${path} ${outline.location.path}`);
      return [`${name} ${location.path}:${position.line + 1}`, ...others];
    };
    const others = ['main/key b.ts']; // in one file, a name at the top level comes first
    for (const isForChange of [false, true])
      assert.deepEqual(await found({ symbol: 'key', isForChange }), ['key a.ts:1', ...others]);
    assert.deepEqual(await found({ symbol: 'own' }), ['own b.ts:4', 'A/run/own a.ts', 'C/own c.ts']);
    await assert.rejects(found({ symbol: 'own', isForChange: true }), /names 3 symbols[\s\S]*C\/own/);
    assert.deepEqual(await found({ symbol: 'run/key' }), ['A/run/key a.ts:4']);
  });

  for (const [wanted, message] of [
    [
      { symbol: 'run' },
      /names 3 symbols[\s\S]*\n {2}A\/run\[1\] {2}method {2}a\.ts:2 {2}run\(a\) \{\n[\s\S]*\n {2}B\/run {2}method {2}b\.ts:2 {2}run\(\) \{$/,
    ],
    [
      { symbol: 'onli', path: 'b.ts' },
      /no symbol "onli" in b\.ts\. Nearest:\n {2}only {2}constant {2}b\.ts:5$/,
    ],
    [{ symbol: 'zzz' }, /no symbol "zzz" in the workspace\. Use list_symbols/],
    [{ symbol: 'secret' }, /no symbol "secret"/],
    [{ symbol: 'x', path: 'c.txt' }, /c\.txt has no symbols\. No extension provides symbols for "plaintext"/],
    [{ symbol: 'x', path: '.env' }, /closed to agents/],
    [{ path: 'a.ts', line: 5, symbol: 'run' }, /contains "run" at columns 17, 26\. Pass column too/],
    [{ path: 'a.ts', line: 5, symbol: 'run', column: 12 }, /"run" at column 12, but at 17, 26: return this/],
    [{ path: 'a.ts', line: 1, symbol: 'B' }, /does not contain "B": class A \{/],
    [{ path: 'a.ts', line: 99 }, /line 99 is past its end/],
    [{ path: 'a.ts' }, /Pass symbol or line/],
    [{ line: 1 }, /Pass symbol \("Class\/method"\), or path and line/],
  ] as const)
    it(`refuses ${JSON.stringify(wanted)}`, () => assert.rejects(resolved(wanted), { message }));
});
