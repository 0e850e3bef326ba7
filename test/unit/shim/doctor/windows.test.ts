import assert from 'node:assert/strict';
import type { Seen } from '../../../../src/shim/doctor/probe.ts';
import { ageOf, windowsSection } from '../../../../src/shim/doctor/windows.ts';
import { wellSeen, windowOf } from '../records.ts';

const seen = (more: Partial<Seen> = {}): Seen => ({
  ...wellSeen(windowOf('a', ['/ws'], { startedAt: Date.now() - 300_000, pid: 7 })),
  ...more,
});
const failed = (message: string, code?: string): Partial<Seen> => ({
  answers: false,
  responsive: false,
  error: Object.assign(new Error(message), code && { code }),
});
const refused = failed('connect ECONNREFUSED /s', 'ECONNREFUSED');

/** The findings, each as its level and its text. */
const said = (one: Seen, version = '0.1.0'): string =>
  windowsSection([one], [], version)
    .findings.map(({ level, text }) => `${level} ${text}`)
    .join('\n');

const CASES: [what: string, seen: Partial<Seen>, said: RegExp][] = [
  [
    'one that is well',
    {},
    /^ok a: Visual .* with \/ws, open for 5 min, process 7 runs\nok .*workbench responds\.\nok /,
  ],
  [
    'a workbench that does not respond',
    { responsive: false },
    /\nwarn a: .*but not the workbench\. .*reload it/,
  ],
  ['nobody behind a process that runs', refused, /\nbad a: nobody listens .* process 7 runs\. Reload/],
  [
    'an impostor',
    failed('What listens at the socket of window a could not prove that it is that window.'),
    /\nbad a: .*could not prove.* It was told nothing\. Reload/,
  ],
  [
    'one that is stuck',
    failed('Window a did not answer within 5000 ms.'),
    /\nbad a: .*within 5000 ms\. Reload/,
  ],
  [
    'a socket of somebody else',
    failed('connect EACCES /s', 'EACCES'),
    /\nbad a: You are not allowed .*\(connect EACCES \/s\)$/,
  ],
  [
    'another machine',
    { ...refused, isOfThisMachine: false, isOfThisBoot: false },
    /of the machine host\nok a: it cannot be reached from this machine, and need not be\.$/,
  ],
  [
    'another machine that answers',
    { isOfThisMachine: false, isOfThisBoot: false },
    /of the machine host\nok .*proves/,
  ],
  [
    'a window that has crashed, which is no window',
    { ...refused, isRunning: false },
    /^warn There is none\. Open a folder in VS Code/,
  ],
];

describe('shim/doctor/windows', () => {
  for (const [what, more, text] of CASES) it(`tells of ${what}`, () => assert.match(said(seen(more)), text));

  it('compares versions', () => {
    assert.match(said(seen(), '0.1.0'), /\nok a: its extension is 0\.1\.0 as well\.$/);
    assert.match(said(seen(), '0.2.0'), /\nwarn a: its extension is 0\.1\.0, and this is 0\.2\.0\./);
  });

  it('tells what is no record', () => {
    const { findings } = windowsSection([], ['x.json is of a newer one'], '1.0.0');
    assert.deepEqual(findings, [{ level: 'bad', text: 'x.json is of a newer one' }]);
  });

  it('shows nothing secret', () =>
    assert.ok(!said(seen({ responsive: false })).includes(seen().record.token)));

  it('tells times as a person does', () => {
    const minute = 60_000;
    assert.deepEqual([0, Number.NaN, minute, 119 * minute, 120 * minute, 2880 * minute].map(ageOf), [
      'less than a minute',
      'less than a minute',
      '1 min',
      '119 min',
      '2 h',
      '2 days',
    ]);
  });
});
