import assert from 'node:assert/strict';
import { configErrors, type Diagnostic } from '../../../src/tsserver/configErrors.ts';
import { parserOf } from './parser.ts';

describe('tsserver/configErrors', () => {
  const error = (code: number, messageText: string, fileName?: string): Diagnostic => ({
    code,
    messageText,
    category: 1,
    ...(fileName !== undefined && { file: { fileName }, start: 4, length: 3 }),
  });
  const texts = (path: string, errors: readonly Diagnostic[], raw?: object) =>
    configErrors(parserOf(errors, raw), path, []).map(({ text }) => text);

  it('are those of the disk and of the program, each once, with their places', () => {
    const [own, ofProgram] = [
      error(5023, 'Unknown option', '/w/tsconfig.json'),
      error(6306, 'Not composite'),
    ];
    const told = configErrors(parserOf([own]), '/w/tsconfig.json', [own, ofProgram]);
    const [first, last] = [
      { start: { line: 3, offset: 5 }, end: { line: 3, offset: 8 } },
      { start: { line: 1, offset: 1 }, end: { line: 1, offset: 1 } },
    ];
    assert.deepEqual(told, [
      { ...first, text: 'Unknown option', code: 5023, category: 'error' },
      { ...last, text: 'Not composite', code: 6306, category: 'error' },
    ]);
  });

  it('are none of another file, nor that a file is missing which is there, in any language', () => {
    const there = ["File '/w/there.json' not found.", '找不到文件“/w/there.json”。'];
    const gone = ["Cannot read file '/w/gone.json'."];
    const errors = [...there, ...gone].map((text) => error(6053, text));
    assert.deepEqual(texts('/w/tsconfig.json', [...errors, error(5023, 'x', '/w/base.json')]), gone);
  });

  it('are references to what is not there, also if no program is loaded', () => {
    const parser = parserOf([], {}, '/w/there.json', '/w/gone');
    const told = configErrors(parser, '/w/tsconfig.json', [
      error(6053, "File '/w/gone' not found.", '/w/tsconfig.json'),
    ]);
    const shown = told.map(({ text, start }) => [text, start.line]);
    assert.deepEqual(shown, [["File '/w/gone' not found.", 3]]);
    assert.equal(configErrors(parser, '/w/tsconfig.json', []).length, 1);
  });

  it('are not that a configuration which others extend has no files of its own', () => {
    const none = [error(18003, 'No inputs')];
    assert.deepEqual(texts('/w/tsconfig.base.json', none), []);
    assert.deepEqual(texts('/w/tsconfig.test.json', none, { include: ['x'] }), ['No inputs']);
    assert.deepEqual(texts('/w/tsconfig.json', none), ['No inputs']);
  });
});
