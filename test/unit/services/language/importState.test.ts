import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { isOutdated } from '../../../../src/services/language/tsDiagnostics.ts';
import { cleanUp, openWindow } from '../../features/window.ts';

describe('services/language/importState', () => {
  afterEach(cleanUp);

  it('an answer is outdated that misses what has just come', async () => {
    const { ctx } = openWindow({ 'lib.ts': '', 'use.ts': "import { a } from './lib.js';\n" });
    const use = await ctx.files.locate('use.ts');
    const told = (code: number, message: string) =>
      isOutdated(use, [{ code, message } as vscode.Diagnostic], ctx.files, ctx.vscode, Date.now() + 10_000);
    assert.equal(await told(2307, "Cannot find module './lib.js'."), true);
    assert.equal(
      await told(6307, "File '/x/lib.ts' is not listed within the file list of project 'p'."),
      true,
    );
    assert.equal(
      await told(6307, "File '/x/other.ts' is not listed within the file list of project 'p'."),
      false,
    );
    assert.equal(await told(2322, 'Type string is not assignable to type number.'), false);
  });
});
