import assert from 'node:assert/strict';
import { openFile } from '../../../src/features/tools/openFile.ts';
import { cleanUp, openWindow, textsOf } from './window.ts';

const LAST = Number.MAX_SAFE_INTEGER;

describe('features/tools/openFile', () => {
  afterEach(cleanUp);

  const OPENED: [what: string, args: object, selection: number[] | undefined, text: string][] = [
    ['a file', {}, undefined, 'src/a.ts is open.'],
    ['a line', { line: 3 }, [2, 0, 2, 0], 'src/a.ts is open at line 3.'],
    ['a column', { line: 3, column: 5 }, [2, 4, 2, 4], 'src/a.ts is open at line 3.'],
    ['lines, selected', { line: 1, endLine: 3 }, [0, 0, 2, LAST], 'src/a.ts is open at line 1.'],
    ['a single line, selected', { line: 2, endLine: 2 }, [1, 0, 1, LAST], 'src/a.ts is open at line 2.'],
  ];
  for (const [what, args, selection, text] of OPENED) {
    it(`shows ${what}, and leaves the keyboard where it is`, async () => {
      const window = openWindow({ 'src/a.ts': '1\n2\n3\n' });
      assert.deepEqual(textsOf(await window.run(openFile, { path: 'src/a.ts', ...args })), [text]);
      const [run] = window.fake.commandsRun;
      assert.equal(run?.command, 'vscode.open');
      assert.equal(String(run?.args[0]), window.uri('src/a.ts'));
      const options = run?.args[1] as Record<string, { start: Position; end: Position }>;
      assert.partialDeepStrictEqual(options, { preserveFocus: true, preview: true });
      assert.deepEqual(options.selection && numbersOf(options.selection), selection);
    });
  }

  it('takes the keyboard along when the person asked for it', async () => {
    const window = openWindow({ a: '' });
    await window.run(openFile, { path: 'a', focus: true });
    assert.partialDeepStrictEqual(window.fake.commandsRun[0]?.args[1], { preserveFocus: false });
  });

  const REFUSED: [what: string, args: object, message: RegExp][] = [
    ['a folder', { path: 'src' }, /src is no file/],
    ['what is not there', { path: 'none' }, /no file or folder "none"/],
    ['a secret', { path: '.env' }, /closed to agents/],
    ['a line past the end', { path: 'src/a.ts', line: 99 }, /src\/a\.ts has 1 lines; line 99/],
    ['lines upside down', { path: 'src/a.ts', line: 3, endLine: 2 }, /endLine 2 lies before line 3/],
    ['an end without a beginning', { path: 'src/a.ts', endLine: 2 }, /endLine needs line/],
    ['a column without a line', { path: 'src/a.ts', column: 2 }, /column needs line/],
  ];
  for (const [what, args, message] of REFUSED) {
    it(`refuses ${what}, and opens nothing`, async () => {
      const window = openWindow({ 'src/a.ts': '', '.env': '' });
      await assert.rejects(window.run(openFile, args), message);
      assert.deepEqual(window.fake.commandsRun, []);
    });
  }
});

interface Position {
  line: number;
  character: number;
}

const numbersOf = ({ start, end }: { start: Position; end: Position }) => [
  start.line,
  start.character,
  end.line,
  end.character,
];
