import assert from 'node:assert/strict';
import { type Import, importsOf, read, tracked } from './sources.ts';

/** The modules of these folders, or files, of src. */
const modules = (...paths: string[]): string[] =>
  tracked(...paths.map((path) => `src/${path}`)).filter(isModule);
const isModule = (path: string): boolean =>
  path.endsWith('.ts') && !/^test\/host\/\w+\/workspace\//.test(path);
const within = (path: string, ...folders: string[]): boolean =>
  folders.some((folder) => path.startsWith(`src/${folder}`));

/** Fails with every import of these modules that is not allowed. */
function onlyImport(paths: string[], isAllowed: (it: Import, path: string) => boolean): void {
  assert.ok(paths.length > 0);
  const wrong = paths.flatMap((path) =>
    importsOf(path)
      .filter((it) => !isAllowed(it, path))
      .map(({ from }) => `${path} imports ${from}`),
  );
  assert.deepEqual(wrong, []);
}

describe('rules: who may import what', () => {
  it('vscode is there at run time only in extension.ts, ui/ and lsp/', () =>
    onlyImport(
      modules(''),
      ({ from, isType }, path) => from !== 'vscode' || isType || within(path, 'extension.ts', 'ui/', 'lsp/'),
    ));

  it('node:net is for shim/ and socket/', () =>
    onlyImport(modules(''), ({ from }, path) => from !== 'node:net' || within(path, 'shim/', 'socket/')));

  it('core/ imports nothing but itself', () =>
    onlyImport(modules('core'), ({ from }) => within(from, 'core/')));

  it('shim/ imports node: modules, itself, the record and core/: never the SDK, nothing of the extension', () => {
    const contract = ['windowRecord', 'recordProblem', 'privateDirectory', 'preamble', 'fileError'];
    // The doctor looks at what windows leave on the disk as they do themselves.
    const places = ['machine', 'socketPath', 'stableShim', 'leftSockets'];
    const files = (names: string[]) => names.map((name) => `socket/${name}.ts`);
    onlyImport(
      modules('shim'),
      ({ from }, path) =>
        from.startsWith('node:') ||
        within(from, 'shim/', 'core/', ...files(contract)) ||
        (within(path, 'shim/doctor/') && within(from, ...files(places))),
    );
  });

  it('what the shim is made of, through all of it, is node: modules, shim/, socket/, core/ and util/ only', () => {
    const seen = new Set<string>();
    const visit = (path: string) => {
      if (seen.has(path) || !path.startsWith('src/')) return;
      seen.add(path);
      for (const { from, isType } of importsOf(path)) if (!isType) visit(from);
    };
    visit('src/shim/main.ts');
    visit('src/shim/doctor/doctor.ts');
    onlyImport(
      [...seen],
      ({ from, isType }) =>
        isType || from.startsWith('node:') || within(from, 'shim/', 'socket/', 'core/', 'util/'),
    );
  });

  it('features/ reach files through ctx.files only', () => {
    const paths = modules('features');
    onlyImport(paths, ({ from }) => !/^(node:)?fs(\/|$)/.test(from));
    const REACHES =
      /\bworkspace\.fs\b|\bopenTextDocument\b|\bapplyEdit\b|\.findFiles\(|\{[^}]*\bfs\b[^}]*\}\s*=\s*[\w.]*\bworkspace\b/;
    assert.deepEqual(
      paths.filter((path) => REACHES.test(read(path))),
      [],
    );
  });

  it('features/ read documents through ctx.files only, which masks what is redacted', () => {
    const READS = /\bgetText\b|\blineAt\b|\.show\(|\.diffWithHEAD\(/;
    const allowed = new Set([
      'src/services/git/gitApi.ts', // declares what Git's extension has
      'src/services/git/fileDiff.ts', // masks what that gives
    ]);
    assert.deepEqual(
      modules('features').filter((path) => READS.test(read(path)) && !allowed.has(path)),
      [],
    );
    const source = read('src/services/git/fileDiff.ts');
    assert.match(
      source,
      /text: files\.masked\.text\(text, path\),\n *notebook: isNotebook\(\{ path \}\) \? files\.masked\.notebookIn\(text\) : undefined,\n *\}\);\n *return shown\(withLf\(await repository\.show\(/,
    );
    assert.match(
      source,
      /if \(files\.masked\.isOn \|\| .*\n *return bothWhole\(.*\n.*\n* *return headedBy\(.* repository\.diffWithHEAD\(/,
    );
    assert.doesNotMatch(source, /\bgetText\b|\blineAt\b/);
  });

  it('what the extension loads at its start has neither SDK nor features in it', () => {
    const seen = new Set<string>();
    const visit = (path: string) => {
      if (seen.has(path) || !path.startsWith('src/')) return;
      seen.add(path);
      const source = importsOf(path).filter(
        // These two are bundles of their own, loaded with the first connection and with the first list.
        ({ isType, from }) => !isType && !/^src\/(socket\/session|ui\/lists)\.ts$/.test(from),
      );
      for (const { from } of source) visit(from);
    };
    visit('src/extension.ts');
    const heavy = [...seen].filter((path) => within(path, 'features/', 'protocol/', 'access/'));
    assert.deepEqual(heavy, []);
  });

  it('files are imported with their ending', () =>
    onlyImport(
      tracked('src', 'test', 'scripts').filter(isModule),
      ({ from }) => !/^(src|test|scripts)\//.test(from) || /\.(ts|json)$/.test(from),
    ));
});
