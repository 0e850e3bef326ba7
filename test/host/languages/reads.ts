/** Tools that read, compared with the compiler and with the text of the files. */
import assert from 'node:assert/strict';
import { compilerLines, linesIn, linesWith } from './judges.ts';
import type { Tested } from './tested.ts';

export function testReads(one: Tested): void {
  const { server, project, directory, at, ask } = one;
  const { language } = server;

  it('lists the symbols of a file', async () => {
    const answer = await ask('list_symbols', { path: at(project.outline.path) });
    for (const line of project.outline.lines) assert.match(answer, line);
  });

  it('finds a symbol by its names, with all its declarations', async () => {
    const { names, path, lines } = project.declared;
    for (const symbol of names) {
      const answer = await ask('get_symbol', { symbol, path: at(path) });
      for (const line of lines) assert.ok(answer.includes(`\n${line}`), answer);
    }
  });

  it('finds problems where the compiler does', async () => {
    for (const path of project.clean) {
      assert.deepEqual(await compilerLines(language, directory, path), [], path);
      assert.equal(await ask('get_diagnostics', { path: at(path) }), 'No problems.', path);
    }
    for (const path of project.broken) {
      const lines = await compilerLines(language, directory, path);
      const answer = await ask('get_diagnostics', { path: at(path) });
      assert.ok(lines.length > 0, path);
      for (const line of lines) assert.match(answer, new RegExp(`^ *${line}:\\d+ error`, 'm'), path);
    }
  });

  const { notebook } = project;
  if (notebook)
    it('tells no notebook for clean that the server does not look at, and no symbols of its JSON', async () => {
      const path = at(notebook);
      assert.match(await one.call('get_diagnostics', { path }), /^No report on the current text of /);
      assert.doesNotMatch(await one.call('get_diagnostics', { path }), /No problems/);
      const symbols = await ask('list_symbols', { path }).catch((error: Error) => error.message);
      assert.doesNotMatch(symbols, /nbformat|metadata/);
      assert.match(symbols, /read_file/);
    });

  it('finds all uses of a symbol', async () => {
    const { name, path } = project.function;
    const answer = await ask('find_references', { symbol: name, path: at(path) });
    assert.deepEqual(linesIn(answer), linesWith(name, directory).map(at));
  });
}
