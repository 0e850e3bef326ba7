import assert from 'node:assert/strict';
import { choiceSection } from '../../../../src/shim/doctor/doctor.ts';
import type { ProbedWindow } from '../../../../src/shim/doctor/windows.ts';
import type { WindowQuery } from '../../../../src/shim/window/windowQuery.ts';
import { wellSeen, windowOf } from '../records.ts';

const seen = (id: string, paths: string[], more: Partial<ProbedWindow> = {}): ProbedWindow => ({
  ...wellSeen(windowOf(id, paths)),
  ...more,
});
const silent = { answers: false, responsive: false };
const query = (cwd: string): WindowQuery => ({ cwd, platform: 'linux', realpath: (path) => path });

const [a, b] = [seen('a', ['/ws']), seen('b', ['/ws'])];
const [inner, other] = [seen('inner', ['/ws/sub']), seen('other', ['/other'])];
const frozen = seen('b', ['/ws'], { responsive: false });
const below = seen('deep', ['/x/ws']);
const ws = query('/ws');
const x = query('/x');
const deep = query('/ws/sub/x');

const CASES: [what: string, windows: ProbedWindow[], query: WindowQuery, said: RegExp][] = [
  ['the deepest folder', [a, inner], deep, /Window inner .*contains \/ws\/sub\/x; no other window has a de/],
  ['--window', [a, b], { ...x, windowId: 'b' }, /Window b .*because --window names it\.$/],
  ['--workspace', [a, other], { ...ws, workspace: '/other/x' }, /Window other .*\/other\/x \(--w/],
  [
    'the terminal',
    [a, other],
    { ...x, terminalWindowId: 'a' },
    /Window a .*because it owns this terminal, and/,
  ],
  ['its terminal of two', [a, b], { ...ws, terminalWindowId: 'b' }, /Window b .* Of 2 .*, it owns this t/],
  ['the workbench that responds', [a, frozen], ws, /Window a .* Of 2 .*, it is the only one that answers/],
  ['the one that answers', [seen('a', ['/ws'], silent), b], ws, /Window b .*/],
  ['several below', [a, other], query('/'), /Several VS Code windows match/],
  ['one folder below', [below, other], x, /Window deep .*is below \/x, and/],
  ['the only one', [a], x, /Window a .*because it is the only open window/],
  ['the only one that answers', [a, seen('b', ['/b'], silent)], x, /Window a .*only open window/],
  ['none of two', [a, b], ws, /Several VS Code windows match.*\n.*a .*\n.*b .*\nPick one/],
  ['no match', [a, other], x, /No open VS Code window has a folder that contains \/x\.\nOpen windows:/],
  ['no such id', [a], { ...ws, windowId: 'gone' }, /has the id "gone"/],
  ['none at all', [], ws, /No VS Code window on this machine/],
];

describe('shim/doctor/doctor: the chosen window', () => {
  for (const [what, windows, asked, said] of CASES)
    it(`says why: ${what}`, async () => {
      const { section, window } = await choiceSection(windows, asked);
      const [finding] = section.findings.slice(-1);
      assert.match(finding?.text ?? '', said);
      const both = [finding?.level, window !== undefined];
      assert.deepEqual(both, said.source.startsWith('Window') ? ['ok', true] : ['warn', false]);
    });

  it('says that a directory does not exist', async () => {
    const { section } = await choiceSection([], query('/no/such'));
    assert.match(section.findings[0]?.text ?? '', /does not exist/);
  });

  it('takes no window that does not answer', async () =>
    assert.equal((await choiceSection([seen('a', ['/ws'], silent)], query('/ws'))).window, undefined));
});
