import { explained } from '../../ipc/fileErrors.ts';
import { foldersOf } from '../window/noWindowMessage.ts';
import { isGone, isStale, type Seen } from './probe.ts';
import { bad, type Finding, ok, type Section, warn } from './report.ts';

/** The recorded windows, except for leftovers. @param problems why other files are not records */
export function windowsSection(seen: readonly Seen[], problems: readonly string[], version: string): Section {
  const findings = [
    ...problems.map(bad),
    ...seen.filter((one) => !isStale(one)).flatMap((one) => windowFindings(one, version)),
  ];
  const none = warn(
    'No windows found. Open a folder in VS Code; the status bar shows whether the server runs.',
  );
  return { title: 'Windows', findings: findings.length > 0 ? findings : [none] };
}

function windowFindings(seen: Seen, version: string): Finding[] {
  const { id, ideName, ideVersion, extensionVersion, trusted, pid, host } = seen.record;
  const trust = trusted ? '' : ', not trusted: agents may only read';
  const about = `${id}: ${ideName} ${ideVersion} with ${foldersOf(seen.record)}, process ${pid} on ${host}, extension ${extensionVersion}${trust}`;
  const isOther = seen.answers && extensionVersion !== version;
  return [
    isOther
      ? warn(`${about}. This is ${version}: reload the window and restart your agents to use one version.`)
      : ok(about),
    wayFinding(seen),
  ];
}

function wayFinding(seen: Seen): Finding {
  const { record, answers, responsive, error, isOfThisMachine } = seen;
  const { id, pid, socketPath } = record;
  if (answers && responsive) return ok(`${id}: authenticated at its socket; the workbench responds.`);
  if (answers)
    return warn(
      `${id}: authenticated at its socket, but the workbench does not respond. If the window is still open, reload it.`,
    );
  if (!isOfThisMachine)
    return ok(`${id}: it is on another machine and cannot be reached from here. Nothing to do.`);
  if (isGone(seen))
    return bad(
      `${id}: nothing listens at ${socketPath}, although process ${pid} runs. Reload that window. If there is none, remove windows/${id}.json.`,
    );
  return bad(`${id}: ${explained(error).message} If this persists, reload that window.`);
}
