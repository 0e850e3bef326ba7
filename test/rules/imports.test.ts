import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import {
  arrowsIn,
  filesOf,
  type Import,
  importsInSrc,
  reachable,
  runtimeImports,
  wayBetween,
  withoutShortcuts,
} from './graph.ts';
import { foldersAbove, read, tracked } from './sources.ts';

const sources = tracked('src').filter((path) => path.endsWith('.ts'));
const within = (path: string, ...rooms: string[]): boolean =>
  rooms.some((room) => path.startsWith(`src/${room}`));
const shown = ({ from, to }: Import): string => `${from} → ${to}`;

/** Most files of one folder: more are two themes. */
const MOST_FILES = 25;

describe('rules: the rooms of src', () => {
  let imports: Import[] = [];
  before(function () {
    this.timeout(120_000);
    imports = importsInSrc();
    assert.ok(imports.length > 500);
  });

  it('have no circle of imports, types included, between files or folders', () => {
    const folders = new Set(sources.flatMap(foldersAbove));
    for (const folder of folders) {
      const arrows = arrowsIn(folder, imports);
      const circles = arrows.filter(({ from, to }) => reachable(to, arrows).has(from));
      assert.deepEqual(circles.map(shown), [], folder);
    }
  });

  it('are drawn in docs/architecture.md as they are', () => {
    const drawn = [...read('docs/architecture.md').matchAll(/^ *(\w+) --> (\w+)$/gm)];
    const rooms = arrowsIn('src', imports).map(({ from, to }) => ({ from: roomOf(from), to: roomOf(to) }));
    const arrows = drawn.map(([, from, to]) => `${from} → ${to}`).sort();
    assert.deepEqual(arrows, withoutShortcuts(rooms).map(shown).sort());
  });

  it('are described in docs/architecture.md, and no other', () => {
    const described = [...read('docs/architecture.md').matchAll(/^\| `src\/(\w+)\/?` \|/gm)].map(
      ([, room]) => room,
    );
    const rooms = new Set(
      sources.map((path) => path.split('/')[1] ?? '').filter((name) => !name.endsWith('.ts')),
    );
    assert.deepEqual(described.sort(), [...rooms].sort());
  });

  it('lead an edit from its tool to the journal in at most eight files', () => {
    const stations = ['features/edit/editFile', 'features/edit/makeEdits', 'workspace/agentEdits'];
    stations.push('workspace/edit/filesEdit', 'workspace/edit/applied', 'workspace/edit/journal');
    const files = stations.map((name) => `src/${name}.ts`);
    const ways = files.slice(1).map((to, index) => wayBetween(files[index] ?? '', to, imports));
    for (const [index, way] of ways.entries()) assert.ok(way.length > 0, `no way to ${files[index + 1]}`);
    assert.ok(new Set(ways.flat()).size <= 8, ways.map((way) => way.join(' → ')).join('\n'));
  });

  it('reach hosting/ through its index.ts only', () => {
    const isInside = (path: string) => within(path, 'hosting/');
    const others = imports.filter(({ from, to }) => isInside(to) && !isInside(from));
    assert.ok(others.length > 10);
    assert.deepEqual(others.filter(({ to }) => to !== 'src/hosting/index.ts').map(shown), []);
  });

  it(`have at most ${MOST_FILES} files a folder`, () => {
    const counts = new Map<string, number>();
    for (const path of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    const wrong = [...counts].filter(([, count]) => count > MOST_FILES);
    assert.deepEqual(wrong, []);
  });
});

describe('rules: who may import what at run time', () => {
  const imports = runtimeImports();

  /** Fails with every import of such a module in another place. */
  function onlyIn(module: RegExp, ...rooms: string[]): void {
    const all = imports.filter(({ to }) => module.test(to));
    assert.ok(all.length > 0);
    assert.deepEqual(all.filter(({ from }) => !within(from, ...rooms)).map(shown), []);
  }

  it('vscode is for extension.ts, window.ts and ui/', () =>
    onlyIn(/^plain:vscode$/, 'extension.ts', 'window.ts', 'ui/'));

  it("LSP's converters, which import vscode, are for lsp/", () =>
    onlyIn(/^vscode-languageclient|\/vscode-languageclient\//, 'lsp/'));

  it('node:net is for shim/, ipc/ and server/', () => onlyIn(/^node:net$/, 'shim/', 'ipc/', 'server/'));

  it('the SDK is for hosting/ and the rooms from features/ to server/', () =>
    onlyIn(/@modelcontextprotocol/, 'hosting/', 'features/', 'protocol/', 'server/'));

  it('core/ imports nothing but itself', () =>
    assert.deepEqual(
      imports.filter(({ from, to }) => within(from, 'core/') && !within(to, 'core/')).map(shown),
      [],
    ));

  it('time limits and waits go by util/clock.ts, which tests replace', () => {
    const TIME =
      /(?<![.\w])set(?:Timeout|Interval)\(|\bperformance\.now\(|\bAbortSignal\.timeout\(|\bsetTimeout\b.* from 'node:timers/;
    const wrong = sources.filter((path) => path !== 'src/util/clock.ts' && TIME.test(read(path)));
    assert.deepEqual(wrong, []);
  });

  it('features/ and services/ reach files through ctx.files only', () => {
    const isFeature = (path: string) => within(path, 'features/', 'services/');
    const disk = imports.filter(({ from, to }) => isFeature(from) && /^(node:)?fs(\/|$)/.test(to)).map(shown);
    assert.deepEqual(disk, []);
    // What Git's extension gives is redacted in fileDiff.ts; test/wire/redact.test.ts shows it.
    const isGit = (path: string) => /^src\/services\/git\/(gitApi|fileDiff)\.ts$/.test(path);
    const REACHES =
      /\bworkspace\.fs\b|\bopenTextDocument\b|\bapplyEdit\b|\.findFiles\(|\bgetText\b|\blineAt\b|(?<!terminal)\.show\(/;
    const wrong = sources.filter((path) => isFeature(path) && !isGit(path) && REACHES.test(read(path)));
    assert.deepEqual(wrong, []);
  });

  it('what the extension loads at its start has neither SDK nor features in it', () => {
    // A clean text in a tab is reported on only once, so this listens from the start.
    const reports = ['reports', 'checkers', 'habits', 'fileChanges'].map(
      (name) => `src/services/language/${name}.ts`,
    );
    // The window shows what agents changed, also when they are gone.
    const early = [...reports, 'src/workspace/edit/journal.ts'];
    const files = filesOf('window.cjs').filter((path) => !early.includes(path) && path !== 'plain:vscode');
    assert.ok(files.includes('src/window.ts'));
    assert.deepEqual(
      files.filter(
        (path) =>
          !path.startsWith('src/') ||
          within(path, 'features/', 'services/', 'protocol/', 'workspace/', 'access/'),
      ),
      [],
    );
  });

  it('the shim and its doctor are made of shim/, ipc/, util/ and core/ only', () => {
    assert.ok(filesOf('shim.js').includes('src/shim/start.ts'));
    assert.ok(filesOf('relay.js').includes('src/shim/doctor/doctor.ts'));
    for (const bundle of ['shim.js', 'relay.js', 'hook.js', 'lspServer.js']) {
      const files = filesOf(bundle);
      const own = files.filter((path) => !path.startsWith('node_modules/vscode-jsonrpc/'));
      const wrong = own.filter((path) => !within(path, 'shim/', 'ipc/', 'util/', 'core/'));
      assert.deepEqual(wrong, []);
    }
  });
});

/** `extension.ts` and `window.ts` are rooms of their own. */
const roomOf = (name: string): string => name.replace(/\.ts$/, '');
