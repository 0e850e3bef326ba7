import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { RunOutput } from '../../../../src/services/run/output.ts';

describe('services/run/output: what a run prints without a terminal', () => {
  it('is the lines that a terminal shows, also while one is unfinished', () => {
    const output = new RunOutput();
    for (const part of ['\x1b[32mone\x1b', '[0m\r\ntw', 'o 10%\rtwo 99', '%']) output.push(part);
    assert.deepEqual([output.head, output.tail, output.count], [['one'], ['two 99%'], 2]);
    output.push('\n');
    output.end();
    assert.deepEqual([output.head, output.tail, output.count], [['one', 'two 99%'], [], 2]);
  });

  it('is kept in its first and last lines, with the number of those between', () => {
    const output = new RunOutput();
    for (let line = 1; line <= 50_000; line++) output.push(`${line} ${'x'.repeat(100)}\n`);
    output.end();
    const { head, tail, dropped, count } = output;
    assert.equal(count, 50_000);
    assert.equal(head.length + dropped + tail.length, count);
    assert.match(`${head[0]} … ${tail[0]}`, new RegExp(`^1 x+ … ${head.length + dropped + 1} x`));
    assert.ok([...head, ...tail].join('\n').length < 2_000_000);
  });

  it('of many short lines is kept in few of them', () => {
    const output = new RunOutput();
    for (let part = 0; part < 1_000; part++) output.push('\n'.repeat(1_000));
    output.end();
    assert.equal(output.count, 1_000_000);
    assert.ok(output.head.length + output.tail.length < 100_000);
  });

  it('without a line end takes no more room than a long line', () => {
    const output = new RunOutput();
    output.push('start');
    for (let part = 0; part < 1_000; part++) output.push('x'.repeat(10_000));
    output.push('end');
    output.end();
    const line = [...output.head, ...output.tail].join('');
    assert.ok(/^startx{90000,}\[\d+ characters are not kept\]x{90000,}end$/.test(line), `${line.length}`);
    const [, cut = 0] = /\[(\d+) characters/.exec(line) ?? [];
    assert.equal(line.length - `[${cut} characters are not kept]`.length + Number(cut), 10_000_008);
  });
});

/** The project has the emulator that VS Code brings. */
const HERE = fileURLToPath(new URL('../../../..', import.meta.url));
const linesOf = ({ head, tail }: RunOutput): string[] => [...head, ...tail];

describe('services/run/output: what a run prints for a terminal', () => {
  const shown = async (...parts: string[]): Promise<string[]> => {
    const output = new RunOutput(HERE);
    for (const part of parts) await output.push(part);
    output.end();
    return linesOf(output);
  };
  const frames = (count: number, frame: (at: number) => string): string[] =>
    Array.from({ length: count }, (_, at) => frame(at));

  it('is a block as it was drawn last, and the lines above it once each', async () => {
    const block = (at: number) => [1, 2, 3].map((row) => `\x1b[2K#${row} ${at}%\r\n`).join('');
    const drawn = await shown(...frames(101, (at) => (at ? '\x1b[3A' : '') + block(at)), 'done\r\n');
    assert.deepEqual(drawn, ['#1 100%', '#2 100%', '#3 100%', 'done']);
    const above = (at: number) => `${at ? '\x1b[1A\x1b[J' : ''}built ${at}\r\njobs ${at}\r\n`;
    assert.deepEqual(await shown(...frames(50, above)), [...frames(50, (at) => `built ${at}`), 'jobs 49']);
  });

  for (const [what, printed, lines] of [
    ['columns', 'NAME\x1b[6CSTATUS\r\nweb-1\x1b[12GRunning', ['NAME      STATUS', 'web-1      Running']],
    ['the screen at the end', 'first\r\n\x1b[H\x1b[2Jsecond\r\n', ['second']],
    ['what is written over', 'abc\x1b[3Dxyz\r\n10%\r20%', ['xyz', '20%']],
    ['nothing of another screen', 'a\r\n\x1b[?1049hframe\r\n\x1b[?1049lb', ['a', 'b']],
    ['line ends behind pipes', 'one\ntwo\n\nfour', ['one', 'two', '', 'four']],
    [
      'tabs, each as one',
      'a\tb\t\tc\t\r\n\t日\t本\r\n1\t2\rxxxxxxxx',
      ['a\tb\t\tc\t', '\t日\t本', 'xxxxxxxx2'],
    ],
    ['empty lines', '\r\na\r\n\r\n', ['', 'a', '']],
    ['no blanks behind a line', `${'a'.padEnd(400)}\r\nb  `, ['a', 'b']],
    [
      'a line without its end apart from what zsh prints behind it',
      `a\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m${' '.repeat(79)}\r \r`,
      ['a'],
    ],
  ] as const)
    it(`is ${what}`, async () => assert.deepEqual(await shown(printed), lines));

  it('is a long line in one piece, on the screen and above it', async () => {
    const long = Array.from({ length: 5_000 }, (_, at) => `${at} 日 \t`).join('');
    assert.deepEqual(await shown(`${long}\r\n`, 'end'), [long, 'end']);
    assert.deepEqual(await shown(`${long}\r\n`, '\r\n'.repeat(100)), [long, ...Array(100).fill('')]);
  });

  it('keeps each line once and in order, however much comes, in little room', async () => {
    const output = new RunOutput(HERE);
    const line = (at: number) => `\x1b[3${at % 8}m${at} ${'x'.repeat(at % 90)}\x1b[0m\r\n`;
    for (let at = 0; at < 200_000; at += 1_000)
      await output.push(frames(1_000, (more) => line(at + more)).join(''));
    output.end();
    assert.equal(output.count, 200_000);
    assert.match(output.head.at(-1) ?? '', new RegExp(`^${output.head.length - 1} x*$`));
    for (const [at, kept] of output.tail.entries())
      assert.equal(Number.parseInt(kept, 10), output.head.length + output.dropped + at);
  });

  it('of empty lines without end is their number', async () => {
    const output = new RunOutput(HERE);
    for (let part = 0; part < 10; part++) await output.push('\n'.repeat(50_000));
    output.end();
    assert.equal(output.count, 500_000);
  });

  it('has numbers that stay, and tells which lines were drawn again', async () => {
    const output = new RunOutput(HERE);
    await output.push('one\r\n10%\r\nwait  ');
    assert.equal(output.tail.at(-1), 'wait ', 'the blank behind a question stays');
    assert.deepEqual([output.markShown(), output.isUnfinished], [undefined, true]);
    await output.push('a little\r\nnext\r\n');
    assert.equal(output.markShown(), undefined);
    await output.push('\x1b[3A\x1b[2K20%\x1b[3B\r');
    assert.deepEqual([output.markShown(), output.markShown()], [2, undefined]);
    assert.deepEqual(linesOf(output), ['one', '20%', 'wait  a little', 'next']);
    await output.push('\r\n'.repeat(100));
    assert.deepEqual([output.markShown(), output.head.slice(0, 4)], [undefined, linesOf(output).slice(0, 4)]);
    await output.push('\x1b[H\x1b[2J\x1b[3Jnew');
    assert.deepEqual(
      [output.tail, output.dropped > 0, output.markShown() !== undefined],
      [['new'], true, true],
    );
  });

  it('of a full-screen program is that there is one', async () => {
    const output = new RunOutput(HERE);
    await output.push('before\r\n\x1b[?1049h\x1b[Htext');
    assert.deepEqual([output.isFullScreen, output.tail], [true, ['before']]);
    await output.push('\x1b[?1049l');
    assert.deepEqual([output.isFullScreen, output.hadFullScreen], [false, true]);
  });

  it('is kept when the screen gets smaller or greater', async () => {
    const output = new RunOutput(HERE);
    await output.push(frames(40, (at) => `${at}\r\n`).join(''));
    for (const rows of [10, 50, 20]) {
      output.resize(rows);
      await output.push(`${rows} rows\r\n`);
    }
    output.end();
    assert.deepEqual(linesOf(output), [...frames(40, String), '10 rows', '50 rows', '20 rows']);
  });
});
