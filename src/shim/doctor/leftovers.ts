import { join } from 'node:path';
import { isOld } from '../../ipc/abandonedSockets.ts';
import { namesIn, recordPath, windowsDirectory } from '../../ipc/windowRecord.ts';
import { isStale, type Seen } from './probe.ts';
import { ok, type Section, warn } from './report.ts';

/** Files that crashed windows have left, except those that the next window removes automatically. */
export function leftoversSection(home: string, seen: readonly Seen[]): Section {
  const directory = windowsDirectory(home);
  const findings = [
    ...seen
      .filter(isStale)
      .map(({ record }) =>
        warn(`${recordPath(home, record.id)}: its window has gone. You can remove this file.`),
      ),
    ...namesIn(directory)
      .filter((name) => /\.(tmp|lock\.remove)$/.test(name) && isOld(join(directory, name)))
      .map((name) => warn(`${join(directory, name)}: a window crashed while writing this file. Remove it.`)),
  ];
  return { title: 'Leftovers', findings: findings.length > 0 ? findings : [ok('None.')] };
}
