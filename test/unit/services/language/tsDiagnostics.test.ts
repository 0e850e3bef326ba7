import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import type * as vscode from 'vscode';
import { isOutdated } from '../../../../src/services/language/tsDiagnostics.ts';
import { cleanUp, openWindow } from '../../features/window.ts';

describe('services/language/tsDiagnostics: the state of imports', () => {
  afterEach(cleanUp);

  const USE = "import { a } from './lib.js';\n";

  /** Whether an answer of one problem is outdated, some seconds after these files were made. */
  async function answers(files: Record<string, string>) {
    const { ctx } = openWindow({ 'use.ts': USE, ...files });
    const use = await ctx.files.locate('use.ts');
    return (code: number, message: string) =>
      isOutdated(use, [{ code, message } as vscode.Diagnostic], ctx.files, ctx.vscode, Date.now() + 10_000);
  }
  const notListed = (name: string) => `File '/x/${name}' is not listed within the file list of project 'p'.`;

  it('an answer is outdated that misses what has just come', async () => {
    const told = await answers({ 'lib.ts': '' });
    assert.equal(await told(2307, "Cannot find module './lib.js'."), true);
    assert.equal(await told(6307, notListed('lib.ts')), true);
    assert.equal(await told(6307, notListed('other.ts')), false);
    assert.equal(await told(2322, 'Type string is not assignable to type number.'), false);
  });

  it('an answer is outdated that misses a file that was moved there, which keeps its time', async () => {
    const window = openWindow({ 'use.ts': USE, 'lib.ts': '' });
    utimesSync(window.path('lib.ts'), 1, 1);
    const use = await window.ctx.files.locate('use.ts');
    const missed = { code: 2307, message: "Cannot find module './lib.js'." } as vscode.Diagnostic;
    assert.equal(await isOutdated(use, [missed], window.ctx.files, window.ctx.vscode), true);
  });

  it('an answer is outdated that has what has just gone', async () => {
    const told = await answers({});
    assert.equal(await told(2307, "Cannot find module './lib.js'."), false);
    assert.equal(await told(6307, notListed('lib.ts')), true);
    assert.equal(await told(2306, "File '/x/lib.ts' is not a module."), true);
  });
});
