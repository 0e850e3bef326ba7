import assert from 'node:assert/strict';
import { formatFile } from '../../../../src/features/refactor/formatFile.ts';
import { FakeDiagnostic, Range } from '../../../fakes/text.ts';
import { allowing, answer, disk, refused } from '../editing.ts';
import { cleanUp, type Window } from '../window.ts';

/** A window with a file that has an error. */
function open(): Window {
  const window = allowing({ 'a.ts': 'a = 1;\n  b;\n' });
  const wrong = new FakeDiagnostic(new Range(1, 2, 1, 3), 'Cannot find b.');
  window.fake.person.reports(window.path('a.ts'), [wrong as never]);
  return window;
}

describe('features/refactor/formatFile', () => {
  afterEach(cleanUp);

  const format = (window: Window, more: object = {}) => answer(window, formatFile, { path: 'a.ts', ...more });

  it('formats a file, or lines of it, and changes nothing if there is nothing to format, or no such line', async () => {
    const window = open();
    await refused(format(window), /is formatted already, or no extension formats "typescript"/);
    await refused(format(window, { startLine: 9 }), /no lines 9 to 9: the file has 3/);
    await refused(format(window, { endLine: 1 }), /endLine needs startLine/);
    window.fake.answers.set('vscode.executeFormatDocumentProvider', () => [
      { range: new Range(1, 0, 1, 2), newText: '' },
    ]);
    assert.match(await format(window), /^a\.ts: 1 replacement, version 2, saved\./);
    assert.equal(disk(window, 'a.ts'), 'a = 1;\nb;\n');
    window.fake.answers.set('vscode.executeFormatRangeProvider', (_uri, range) => [{ range, newText: 'x;' }]);
    await format(window, { startLine: 1 });
    assert.equal(disk(window, 'a.ts'), 'x;\nb;\n');
  });

  it('formats lines by a formatter of whole files, and names errors if nothing is formatted', async () => {
    const window = open();
    const edits = [0, 1].map((line) => ({ range: new Range(line, 0, line, 1), newText: 'x' }));
    window.fake.answers.set('vscode.executeFormatDocumentProvider', () => edits);
    assert.match(await format(window, { startLine: 2 }), /only whole files: these are its changes/);
    assert.equal(disk(window, 'a.ts'), 'a = 1;\nx b;\n');
    edits.length = 0;
    await refused(format(window), /is formatted already, or its errors keep the formatter from it\.$/);
  });
});
