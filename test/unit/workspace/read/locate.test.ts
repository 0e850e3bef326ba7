import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { URI } from 'vscode-uri';
import { NotFoundError, UserError } from '../../../../src/core/errors.ts';
import { Files, NOBODY } from '../../../../src/workspace/files.ts';
import { itWithLinks, onPosix } from '../../../temporary.ts';
import { cleanUp, folderWith, openWindow, real, rootsOf, write } from '../openWindow.ts';

const refused = (promise: Promise<unknown>, message: RegExp) =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof UserError, `${error}`);
    assert.ok(!(error instanceof NotFoundError), error.message);
    assert.match(error.message, message);
    return true;
  });

const missing = (promise: Promise<unknown>) => assert.rejects(promise, NotFoundError);

describe('workspace/read/locate', () => {
  afterEach(cleanUp);

  it('takes an absolute path, a URI and a relative path for the same file', async () => {
    const ws = folderWith({ 'src/a b%.ts': '' });
    const { files } = openWindow({ folders: [ws] });
    const spellings = [
      join(ws, 'src/a b%.ts'),
      `${ws}//src/./../src/a b%.ts`,
      pathToFileURL(join(ws, 'src/a b%.ts')).href,
      pathToFileURL(join(ws, 'src/a b%.ts')).href.replace('file:', 'FILE:'),
      `file://localhost${pathToFileURL(join(ws, 'src/a b%.ts')).pathname}`,
      'src/a b%.ts',
      'src/../src/a b%.ts',
      `${basename(ws)}/src/a b%.ts`,
    ];
    for (const spelling of spellings) {
      const { path, realPath } = await files.locate(spelling);
      assert.deepEqual([path, realPath], ['src/a b%.ts', real(ws, 'src/a b%.ts')], spelling);
    }
  });

  it('takes a URI in which nothing, or not all, is encoded: as what is there', async () => {
    const ws = folderWith({ 'c#/a b.ts': '', 'c/d.ts': '', '100% x.ts': '', 'e f.ts': '', 'e%20f.ts': '' });
    const { files } = openWindow({ folders: [ws] });
    const base = pathToFileURL(ws).href;
    for (const [inside, path] of [
      ['c#/a b.ts', 'c#/a b.ts'],
      ['c#/a%20b.ts', 'c#/a b.ts'],
      ['100% x.ts', '100% x.ts'],
      ['c/d.ts#L1', 'c/d.ts'],
      ['e%20f.ts', 'e f.ts'],
    ])
      assert.equal((await files.locate(`${base}/${inside}`)).path, path);
    await missing(files.locate(`${base}/none#/a.ts`));
    await refused(files.locate(`${base.replace(basename(ws), '')}c#/../../a.ts`), /outside/);
  });

  onPosix(
    'takes the spelling of another system if nothing has that name here, and says the path',
    async () => {
      const ws = folderWith({ 'src/a.ts': '', 'other/b.ts': '', 'other\\b.ts': 'one name', '.env': '' });
      const { files } = openWindow({ folders: [ws] });
      for (const spelling of [
        'src\\a.ts',
        ' "src/a.ts"\n',
        `\\\\wsl.localhost\\Ubuntu${ws.replaceAll('/', '\\')}\\src\\a.ts`,
        `file://wsl%24/Ubuntu${ws}/src/a.ts`,
        `vscode-remote://wsl%2Bubuntu${ws}/src/a.ts`,
      ]) {
        const { path, note } = await files.locate(spelling);
        assert.deepEqual([path, note], ['src/a.ts', 'Its path here is src/a.ts.'], spelling);
      }
      assert.equal((await files.locate('other\\b.ts')).path, 'other\\b.ts');
      await missing(files.locate('src\\none.ts'));
      await missing(files.locate('src\\..\\..\\secret'));
      await assert.rejects(files.locate(`\\\\wsl$\\Ubuntu${ws}\\.env`), UserError);
    },
  );

  onPosix('creates nothing under a name that another system reads as a path', async () => {
    const ws = folderWith({ 'src/a.ts': '', 'c\\d/e': '' });
    const { files } = openWindow({ folders: [ws] });
    for (const spelling of [
      'src\\new.ts',
      ' src/new.ts',
      '"src/new.ts"',
      `\\\\wsl.localhost\\Ubuntu${ws}\\src\\new.ts`,
      `vscode-remote://wsl%2Bubuntu${ws}/src/new.ts`,
      `file://wsl.localhost/Ubuntu${ws}/src/new.ts`,
      `file://${ws}/src%5Cnew.ts`,
    ])
      await refused(
        files.locateNew(spelling),
        /is not a path of this machine\. Nothing was created\. Pass "src\/new\.ts"\.$/,
      );
    for (const drive of ['C:\\Users\\me\\new.ts', 'C:/Users/me/new.ts'])
      await refused(files.locateNew(drive), /not a path of this machine.* Pass one with "\/"/);
    assert.equal((await files.locateNew('c\\d/new.ts')).path, 'c\\d/new.ts');
  });

  it('says what the URI of a file has to be where one names a host', async () => {
    const ws = folderWith();
    const { files } = openWindow({ folders: [ws] });
    for (const [uri, path] of [
      ['file://path/to/a%20b.ts', 'path/to/a b.ts'],
      ['file://path\\to\\a.ts', 'path/to/a.ts'],
      ['file://src/', 'src'],
      ['file://./src/a.ts', 'src/a.ts'],
    ] as const)
      await assert.rejects(files.locate(uri), ({ message }: Error) => {
        assert.match(message, /names a host, ".+".* three slashes /);
        return message.endsWith(`such as ${URI.file(join(ws, path))}.`);
      });
  });

  const IMPOSSIBLE: [uri: string, message: RegExp][] = [
    ['file://c:/x/a.ts', /such as file:\/\/\/c%3A\/x\/a\.ts\.$/],
    ['file:////x/a.ts', /^"file:\/{4}x\/a\.ts" is not a URI\. .* three slashes and the absolute path/],
    ['vscode-vfs:////x', /^"vscode-vfs:\/{4}x" is not a URI\. A URI starts with a scheme/],
    ['file:///x%00.ts', /^A path must not contain a NUL character\.$/],
    ['file://a%00/x.ts', /^A path must not contain a NUL character\.$/],
    ['untitled:a%00', /^A path must not contain a NUL character\.$/],
    ['a b:/x', /^"a b:\/x" is not a URI\. A URI starts with a scheme/],
  ];
  for (const [uri, message] of IMPOSSIBLE)
    it(`says in plain words what is wrong with ${uri}`, () =>
      refused(openWindow({ folders: [folderWith()] }).files.locateUri(uri), message));

  it('says that a way out leads outside', async () => {
    const [outside, ws] = [folderWith({ 'secret.txt': '' }), folderWith()];
    const { files } = openWindow({ folders: [ws] });
    for (const way of [
      `../${basename(outside)}/secret.txt`,
      `${pathToFileURL(ws).href}/..%2F${basename(outside)}/secret.txt`,
      '/',
      'https://example.com/a.ts',
      'vscode-vfs://github/ws/a.ts',
    ])
      await refused(files.locate(way), /outside/);
  });

  itWithLinks(
    'tells nothing by a link whose target is there, is missing or cannot be reached outside',
    async () => {
      const outside = folderWith({ 'there/deep.txt': '', '.env': '' });
      symlinkSync('loop', join(outside, 'loop'));
      mkdirSync(join(outside, 'shut'), { mode: 0 });
      const ws = folderWith({ '.env': '' });
      symlinkSync(outside, join(ws, 'link'));
      const targets = ['there', 'missing', 'missing/deep', 'loop', 'loop/deep', 'shut/deep', 'y'.repeat(300)];
      for (const [index, target] of targets.entries()) {
        symlinkSync(join(outside, target), join(ws, `direct${index}`));
        symlinkSync(`link/${target}`, join(ws, `indirect${index}`));
      }
      const { files } = openWindow({ folders: [ws] });
      for (const [index, target] of targets.entries())
        for (const way of [`link/${target}`, `direct${index}`, `indirect${index}`])
          await refused(files.locate(way), /^\S+ .*outside the workspace folders/);
      await refused(files.locateUri(`untitled:${join(ws, 'link/new.txt')}`), /outside/);
      symlinkSync('.env.local', join(ws, 'to-a-missing-secret'));
      await refused(files.locate('to-a-missing-secret'), /closed to agents/);
      rmSync(join(outside, 'shut'), { recursive: true });
    },
  );

  itWithLinks('names files by the links that stay inside, and by the one of their folder', async () => {
    const ws = folderWith({ 'src/a.ts': '' });
    symlinkSync('src', join(ws, 'lib'));
    const { path, realPath } = await openWindow({ folders: [ws] }).files.locate('lib/a.ts');
    assert.deepEqual([path, realPath], ['lib/a.ts', real(ws, 'src/a.ts')]);
    const link = join(folderWith(), 'ws');
    symlinkSync(ws, link);
    const { files } = openWindow({ folders: [link] });
    for (const path of ['src/a.ts', join(link, 'src/a.ts'), join(ws, 'src/a.ts')])
      assert.equal((await files.locate(path)).uri.fsPath, join(link, 'src/a.ts'));
  });

  itWithLinks('says that nothing is there', async () => {
    const ws = folderWith({ 'a.ts': '' });
    symlinkSync('loop', join(ws, 'loop'));
    symlinkSync('gone', join(ws, 'dangling'));
    const { files } = openWindow({ folders: [ws] });
    for (const path of ['b.ts', 'a.ts/b', join(ws, 'b.ts'), 'dangling', 'x/'.repeat(300)])
      await missing(files.locate(path));
    await refused(files.locate('loop'), /cannot be reached/);
    await refused(files.locate('a\0.ts'), /NUL/);
    for (const path of ['\ud800.ts', 'file:///\udc00', `${ws}/\ud800`])
      await refused(files.locate(path), /unpaired surrogate/);
    const long = files.locate('x'.repeat(3_000)); // longer than a name may be, not than a path
    await (process.platform === 'win32'
      ? missing(long)
      : refused(long, /^\/x?.{1,3500}cannot be reached: ENAMETOOLONG: name too long$/));
  });

  it('finds a text whose file is gone if it is in a tab or unsaved, unless the client’s roots close it', async () => {
    const ws = folderWith({ 'root/a.ts': '' });
    for (const roots of [undefined, [join(ws, 'root')]]) {
      write(join(ws, 'gone.ts'), 'text');
      const { fake, files } = openWindow({ folders: [ws] }, roots);
      const document = fake.person.loads(join(ws, 'gone.ts'));
      rmSync(join(ws, 'gone.ts'));
      if (!roots) {
        await missing(files.locate('gone.ts'));
        fake.person.types(document, 'unsaved');
        await files.locate('gone.ts');
        document.isDirty = false;
        fake.person.opensTab(join(ws, 'gone.ts'));
      }
      if (roots) await refused(files.locate('gone.ts'), /outside the roots/);
      else assert.equal((await files.read(await files.locate('gone.ts'))).kind, 'text');
    }
  });

  itWithLinks('judges a file that it has found before by the links, rules and roots of now', async () => {
    const [ws, outside] = [folderWith({ 'a.ts': '', 'b.ts': '', 'c.ts': '' }), folderWith({ 'a.ts': '' })];
    const { fake, window } = openWindow({ folders: [ws] });
    let paths: string[] | undefined;
    const roots = Object.defineProperty(rootsOf(), 'paths', { get: () => paths });
    const files = new Files(window, roots, NOBODY);
    for (const name of ['a.ts', 'b.ts', 'c.ts']) await files.locate(name);
    rmSync(join(ws, 'a.ts'));
    symlinkSync(join(outside, 'a.ts'), join(ws, 'a.ts'));
    await refused(files.locate('a.ts'), /outside/);
    fake.person.sets('workspaceMcp.access.deniedPaths', ['b.ts']);
    await refused(files.locate('b.ts'), /deniedPaths/);
    await files.locate('c.ts');
    paths = [real(outside)];
    await refused(files.locate('c.ts'), /roots/);
  });

  it('opens the folder that the person allowed by name, and asks for one where none is open', async () => {
    const outside = folderWith({ 'sdk/x.h': '', 'other.h': '' });
    const user = { 'workspaceMcp.access.allowedPaths': [join(outside, 'sdk')] };
    const { files } = openWindow({ folders: [], user });
    assert.equal((await files.locate(join(outside, 'sdk/x.h'))).path, join(outside, 'sdk/x.h'));
    await refused(files.locate(join(outside, 'other.h')), /outside/);
    await refused(files.locate('a.ts'), /No folder is open/);
  });

  it('refuses at once what no system takes, in a short sentence', async () => {
    const { files } = openWindow({ folders: [folderWith({ a: '' })] });
    const deep = 'x/'.repeat(50_000);
    for (const path of [deep, `/${deep}`, `file:///${deep}`, `file://${deep}`])
      await assert.rejects(
        files.locate(path),
        ({ message }: Error) => /path is too long/.test(message) && message.length < 200,
      );
  });
});
