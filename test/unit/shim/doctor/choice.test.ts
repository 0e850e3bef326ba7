import assert from 'node:assert/strict';
import { choiceSection, choose } from '../../../../src/shim/doctor/choice.ts';
import type { Seen } from '../../../../src/shim/doctor/probe.ts';
import type { WindowQuery } from '../../../../src/shim/window/windowQuery.ts';
import { wellSeen, windowOf } from '../records.ts';

const seen = (id: string, paths: string[], more: Partial<Seen> = {}): Seen => ({
  ...wellSeen(windowOf(id, paths)),
  ...more,
});
const silent = { answers: false, responsive: false };
const query = (cwd: string, more: Partial<WindowQuery> = {}): WindowQuery => ({
  cwd,
  platform: 'linux',
  realpath: (path) => path,
  ...more,
});

const [a, b, inner, other] = [
  seen('a', ['/ws']),
  seen('b', ['/ws']),
  seen('inner', ['/ws/sub']),
  seen('other', ['/other']),
];

const CASES: [what: string, windows: Seen[], query: WindowQuery, said: RegExp][] = [
  [
    'the deepest folder',
    [a, inner],
    query('/ws/sub/x'),
    /Window inner .*contains \/ws\/sub\/x; no other window has a de/,
  ],
  ['--window', [a, b], query('/x', { windowId: 'b' }), /Window b .*because --window names it\.$/],
  ['--workspace', [a, other], query('/ws', { workspace: '/other/x' }), /Window other .*\/other\/x \(--w/],
  [
    'the terminal',
    [a, other],
    query('/x', { terminalWindowId: 'a' }),
    /Window a .*because it owns this terminal, and/,
  ],
  [
    'its terminal of two',
    [a, b],
    query('/ws', { terminalWindowId: 'b' }),
    /Window b .* Of 2 matching windows, it owns this t/,
  ],
  [
    'the workbench that responds',
    [a, seen('b', ['/ws'], { responsive: false })],
    query('/ws'),
    /Window a .* Of 2 matching windows, it is the only one that answers/,
  ],
  ['the one that answers', [seen('a', ['/ws'], silent), b], query('/ws'), /Window b .*/],
  ['several below', [a, other], query('/'), /Several VS Code windows match/],
  ['one folder below', [seen('deep', ['/x/ws']), other], query('/x'), /Window deep .*is below \/x, and/],
  ['the only one', [a], query('/x'), /Window a .*because it is the only open window/],
  ['the only one that answers', [a, seen('b', ['/b'], silent)], query('/x'), /Window a .*only open window/],
  ['none of two', [a, b], query('/ws'), /Several VS Code windows match.*\n.*a .*\n.*b .*\nPick one/],
  [
    'no match',
    [a, other],
    query('/x'),
    /No open VS Code window has a folder that contains \/x\.\nOpen windows:/,
  ],
  ['no such id', [a], query('/ws', { windowId: 'gone' }), /has the id "gone"/],
  ['none at all', [], query('/ws'), /No VS Code window on this machine/],
];

describe('shim/doctor/choice', () => {
  for (const [what, windows, asked, said] of CASES) {
    it(`says why: ${what}`, () => {
      const { section, hasWindow } = choiceSection(windows, asked);
      const [finding] = section.findings.slice(-1);
      assert.match(finding?.text ?? '', said);
      assert.deepEqual(
        [finding?.level, hasWindow],
        said.source.startsWith('Window') ? ['ok', true] : ['warn', false],
      );
    });
  }

  it('says that a directory does not exist', () =>
    assert.match(choiceSection([], query('/no/such')).section.findings[0]?.text ?? '', /does not exist/));

  it('takes no window that does not answer', () =>
    assert.deepEqual(choose([seen('a', ['/ws'], silent)], query('/ws')), {}));
});
