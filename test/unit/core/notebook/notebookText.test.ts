import assert from 'node:assert/strict';
import { cellsOfIpynb, notebookText } from '../../../../src/core/notebook/notebookText.ts';

const code = (outputs: object[]) => ({ cell_type: 'code', source: 'x', outputs });
const notebook = (cells: unknown[], more: object = {}) =>
  JSON.stringify({ nbformat: 4, metadata: { language_info: { name: 'python' } }, cells, ...more });
const outputsOf = (...outputs: object[]) => cellsOfIpynb(notebook([code(outputs)]))?.[0]?.outputs;

describe('core/notebook/notebookText', () => {
  it('reads cells, however their text is kept', () => {
    const cells = [
      { cell_type: 'markdown', source: ['# A\n', 'b'] },
      { cell_type: 'code', source: 'print(1)', execution_count: 3, outputs: [] },
      { cell_type: 'code', source: [], execution_count: null },
      { cell_type: 'raw', source: 'r' },
    ];
    assert.deepEqual(cellsOfIpynb(notebook(cells)), [
      { kind: 'markdown', text: '# A\nb', outputs: [] },
      { kind: 'code', language: 'python', text: 'print(1)', run: 3, outputs: [] },
      { kind: 'code', language: 'python', text: '', outputs: [] },
      { kind: 'raw', text: 'r', outputs: [] },
    ]);
  });

  const traceback = ['\u001b[0;31mE\u001b[0m', 'at 1'];
  const outputs: [type: string, output: object, expected: object][] = [
    ['stream', { name: 'stdout', text: ['1\n', '2\n'] }, { type: 'text/plain', text: '1\n2\n' }],
    [
      'execute_result',
      { data: { 'text/html': '<b>', 'text/plain': ['7'] } },
      { type: 'text/plain', text: '7' },
    ],
    ['display_data', { data: { 'image/png': 'iVBOR' } }, { type: 'image/png' }],
    ['display_data', { data: { 'text/html': ['<i>'] } }, { type: 'text/html', text: '<i>' }],
    ['error', { ename: 'E', evalue: 'v', traceback }, { type: 'error', text: 'E\nat 1' }],
    ['error', { ename: 'E', evalue: 'v' }, { type: 'error', text: 'E: v' }],
    ['display_data', {}, { type: 'nothing' }],
  ];
  for (const [output_type, output, expected] of outputs)
    it(`reads what cells have printed: ${JSON.stringify(expected)}`, () =>
      assert.deepEqual(outputsOf({ output_type, ...output }), [expected]));

  it('takes nothing else for one', () => {
    for (const text of ['', '[]', 'null', '{}', '{"nbformat":3,"worksheets":[]}', '{"nbformat":4}'])
      assert.equal(cellsOfIpynb(text), undefined, text);
    const nothing = { kind: 'raw', text: '', outputs: [] };
    assert.deepEqual(cellsOfIpynb(notebook([null, 7])), [nothing, nothing]);
  });

  it('shows each cell below a line that says what it is, with what it printed', () => {
    const outputs = [
      { type: 'text/plain', text: '1\n' },
      { type: 'image/png' },
      { type: 'error', text: 'E: v' },
    ];
    assert.equal(
      notebookText([
        { kind: 'markdown', text: '# A', outputs: [] },
        { kind: 'code', language: 'python', text: 'print(1)\n', run: 3, outputs },
        { kind: 'code', text: '', outputs: [] },
      ]),
      `--- cell 1 (markdown)
# A

--- cell 2 (code, python, run 3)
print(1)
--- output of cell 2
1
--- output of cell 2: image/png
--- output of cell 2: error
E: v

--- cell 3 (code)
`,
    );
  });

  it('cuts what is long, and says so', () => {
    const outputs = [{ type: 'text/plain', text: 'x'.repeat(20_000) }];
    const text = notebookText([{ kind: 'code', text: 'a', outputs }]);
    assert.match(text, /output of cell 1, the first 10000 of 20000 characters\nx{10000}\n$/);
    assert.match(notebookText([]), /no cells/);
  });
});
