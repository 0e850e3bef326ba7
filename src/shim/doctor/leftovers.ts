import { join } from 'node:path';
import { isOld } from '../../ipc/abandonedSockets.ts';
import { namesIn, recordPath, windowsDirectory } from '../../ipc/windowRecord.ts';
import { isStale, type Seen } from './probe.ts';
import { ok, type Section, warn } from './report.ts';

/** What crashed windows have left behind, except for what the next window removes without anybody noticing. */
export function leftoversSection(home: string, seen: readonly Seen[]): Section {
  const directory = windowsDirectory(home);
  const findings = [
    ...seen
      .filter(isStale)
      .map(({ record }) => warn(`${recordPath(home, record.id)}: its window is gone. You may remove it.`)),
    ...namesIn(directory)
      .filter((name) => /\.(tmp|lock\.remove)$/.test(name) && isOld(join(directory, name)))
      .map((name) => warn(`${join(directory, name)}: a window crashed while it wrote this. Remove it.`)),
  ];
  return { title: 'Leftovers', findings: findings.length > 0 ? findings : [ok('There are none.')] };
}
