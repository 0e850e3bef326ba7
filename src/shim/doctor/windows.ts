import { explained } from '../../ipc/fileErrors.ts';
import type { WindowRecord } from '../../ipc/windowRecord.ts';
import { foldersOf } from '../window/noWindowMessage.ts';
import { isGone, isStale, type Seen } from './probe.ts';
import { bad, type Finding, ok, type Section, warn } from './report.ts';

/** The windows whose records are there, but for those that are left over. @param problems why other files are none */
export function windowsSection(seen: readonly Seen[], problems: readonly string[], version: string): Section {
  const findings = [
    ...problems.map(bad),
    ...seen.filter((one) => !isStale(one)).flatMap((one) => windowFindings(one, version)),
  ];
  const none = warn('There is none. Open a folder in VS Code; its status bar tells whether the server runs.');
  return { title: 'Windows', findings: findings.length > 0 ? findings : [none] };
}

export const windowFindings = (seen: Seen, version: string): Finding[] => [
  ok(describe(seen)),
  wayFinding(seen),
  ...(seen.answers ? [versionFinding(seen.record, version)] : []),
];

function describe({ record, isOfThisMachine, isOfThisBoot, isRunning }: Seen): string {
  const { id, ideName, ideVersion, pid, host, startedAt, trusted } = record;
  const process = isOfThisBoot
    ? `process ${pid} ${isRunning ? 'runs' : 'is not seen from here'}`
    : isOfThisMachine
      ? 'of an earlier start of this machine'
      : `of the machine ${host}`;
  const trust = trusted ? '' : ', not trusted: agents may only read';
  return `${id}: ${ideName} ${ideVersion} with ${foldersOf(record)}, open for ${ageOf(Date.now() - startedAt)}, ${process}${trust}`;
}

function wayFinding(seen: Seen): Finding {
  const { record, answers, responsive, error, isOfThisMachine } = seen;
  const { id, pid, socketPath } = record;
  if (answers && responsive)
    return ok(`${id}: the socket answers and proves itself, the workbench responds.`);
  if (answers)
    return warn(
      `${id}: the socket answers and proves itself, but not the workbench. Where its window is still open, reload it.`,
    );
  if (!isOfThisMachine) return ok(`${id}: it cannot be reached from this machine, and need not be.`);
  if (isGone(seen))
    return bad(
      `${id}: nobody listens at ${socketPath}, although process ${pid} runs. Reload that window; where there is none, remove windows/${id}.json.`,
    );
  const [, remedy] = REMEDIES.find(([pattern]) => pattern.test(error?.message ?? '')) ?? [];
  return bad([`${id}: ${explained(error).message}`, ...(remedy ? [remedy] : [])].join(' '));
}

/** What to do where the failure itself does not say it. */
const REMEDIES: [failure: RegExp, remedy: string][] = [
  [
    /could not prove/,
    'It was told nothing. Reload that window; if this stays, find out which program listens there.',
  ],
  [/did not answer|was closed|is not a JSON object|is longer than/, 'Reload that window.'],
];

function versionFinding({ id, extensionVersion }: WindowRecord, version: string): Finding {
  return extensionVersion === version
    ? ok(`${id}: its extension is ${version} as well.`)
    : warn(
        `${id}: its extension is ${extensionVersion}, and this is ${version}. They understand each other; reload the window and start agents anew to have one version.`,
      );
}

/** @param ms a time in milliseconds */
export function ageOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (!(minutes >= 1)) return 'less than a minute';
  if (minutes < 120) return `${minutes} min`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`;
}
