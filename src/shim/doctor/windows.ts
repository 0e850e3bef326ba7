import { explained } from '../../ipc/fileErrors.ts';
import { foldersOf } from '../window/noWindowMessage.ts';
import { isGone, isStale, type Seen } from './probe.ts';
import { bad, type Finding, ok, type Section, warn } from './report.ts';

/** The windows whose records are there, except for leftovers. @param problems why other files are not records */
export function windowsSection(seen: readonly Seen[], problems: readonly string[], version: string): Section {
  const findings = [
    ...problems.map(bad),
    ...seen.filter((one) => !isStale(one)).flatMap((one) => windowFindings(one, version)),
  ];
  const none = warn('There is none. Open a folder in VS Code; its status bar tells whether the server runs.');
  return { title: 'Windows', findings: findings.length > 0 ? findings : [none] };
}

function windowFindings(seen: Seen, version: string): Finding[] {
  const { id, ideName, ideVersion, extensionVersion, trusted, pid, host } = seen.record;
  const trust = trusted ? '' : ', not trusted: agents may only read';
  const about = `${id}: ${ideName} ${ideVersion} with ${foldersOf(seen.record)}, process ${pid} on ${host}, extension ${extensionVersion}${trust}`;
  const isOther = seen.answers && extensionVersion !== version;
  return [
    isOther
      ? warn(`${about}. This is ${version}: reload the window and start agents again to have one version.`)
      : ok(about),
    wayFinding(seen),
  ];
}

function wayFinding(seen: Seen): Finding {
  const { record, answers, responsive, error, isOfThisMachine } = seen;
  const { id, pid, socketPath } = record;
  if (answers && responsive)
    return ok(`${id}: the socket answers and proves itself, the workbench responds.`);
  if (answers)
    return warn(
      `${id}: the socket answers and proves itself, but the workbench does not respond. If its window is still open, reload it.`,
    );
  if (!isOfThisMachine) return ok(`${id}: it cannot be reached from this machine, and need not be.`);
  if (isGone(seen))
    return bad(
      `${id}: nobody listens at ${socketPath}, although process ${pid} runs. Reload that window; if there is none, remove windows/${id}.json.`,
    );
  return bad(`${id}: ${explained(error).message} If this stays, reload that window.`);
}
