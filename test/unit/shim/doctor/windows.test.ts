import assert from 'node:assert/strict';
import { type ProbedWindow, windowsSection } from '../../../../src/shim/doctor/windows.ts';
import { wellSeen, windowOf } from '../records.ts';

const seen = (more: Partial<ProbedWindow> = {}): ProbedWindow => ({
  ...wellSeen(windowOf('a', ['/ws'], { startedAt: Date.now() - 300_000, pid: 7 })),
  ...more,
});
const failed = (message: string, code?: string): Partial<ProbedWindow> => ({
  answers: false,
  responsive: false,
  error: Object.assign(new Error(message), code && { code }),
});
const refused = failed('connect ECONNREFUSED /s', 'ECONNREFUSED');

/** The findings, each as its level and its text. */
const said = (one: ProbedWindow, version = '0.1.0'): string =>
  windowsSection([one], [], version)
    .findings.map(({ level, text }) => `${level} ${text}`)
    .join('\n');

const unproven = failed('The process at the socket of window a could not prove that it is that window.');
const stuck = failed('Window a did not answer within 5000 ms.');
const foreign = { ...refused, isOfThisMachine: false };

const CASES: [what: string, seen: Partial<ProbedWindow>, said: RegExp][] = [
  [
    'one that is well',
    {},
    /^ok a: Visual .* with \/ws, process 7 on host, .*0\.1\.0\nok .*workbench responds\.$/,
  ],
  ['a workbench that does not respond', { responsive: false }, /\nwarn a: .*workbench does not.*reload it/],
  ['nobody behind a process that runs', refused, /\nbad a: nothing listens .* process 7 runs\. Reload/],
  ['an impostor', unproven, /\nbad a: .*could not prove.* If this persists, reload/],
  ['one that is stuck', stuck, /\nbad a: .*within 5000 ms\. If this persists, reload/],
  ['a socket of others', failed('EACCES /s', 'EACCES'), /\nbad a: Permission denied.*\(EACCES \/s\)/],
  ['another machine', foreign, /process 7 on host, .*\nok a: it is on another machine .*\. Nothing to do\.$/],
  ['another machine that answers', { isOfThisMachine: false }, /process 7 on host, .*\nok .*authenticated/],
  ['a window that has crashed', { ...refused, isRunning: false }, /^warn No windows found\. Open a folder/],
];

describe('shim/doctor/windows', () => {
  for (const [what, more, text] of CASES) it(`tells of ${what}`, () => assert.match(said(seen(more)), text));

  it('compares versions', () => {
    assert.match(said(seen(), '0.1.0'), /^ok a: .*extension 0\.1\.0\n/);
    assert.match(said(seen(), '0.2.0'), /^warn a: .*extension 0\.1\.0\. This is 0\.2\.0: reload/);
  });

  it('shows nothing secret', () =>
    assert.ok(!said(seen({ responsive: false })).includes(seen().record.token)));
});
