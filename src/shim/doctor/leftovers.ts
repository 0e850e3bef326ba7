import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isOld, leftSockets } from '../../ipc/abandonedSockets.ts';
import { namesIn, recordPath, windowsDirectory } from '../../ipc/windowRecord.ts';
import { isStale, type Seen } from './probe.ts';
import { type Finding, ok, type Section, warn } from './report.ts';

/** What crashed windows have left behind. None of it does harm: what no window removes by itself is named. */
export async function leftoversSection(
  home: string,
  seen: readonly Seen[],
  socketPlaces: readonly string[],
): Promise<Section> {
  const sockets = await Promise.all(socketPlaces.map((place) => leftSockets(place).catch(() => [])));
  const named = new Set(seen.map(({ record }) => record.socketPath));
  const findings = [
    ...seen.filter(isStale).map((one) => staleFinding(home, one)),
    ...leftFiles(windowsDirectory(home)),
    ...sockets.flat().flatMap((path) => (named.has(path) ? [] : socketFinding(path))),
  ];
  return { title: 'Leftovers', findings: findings.length > 0 ? findings : [ok('There are none.')] };
}

function staleFinding(home: string, { record, isOfThisBoot }: Seen): Finding {
  const path = recordPath(home, record.id);
  return isOfThisBoot
    ? warn(`${path}: its window has crashed. ${BY_ITSELF}`)
    : warn(`${path}: its window was open before this machine was started. You may remove it.`);
}

const BY_ITSELF = 'The next window whose server starts removes it.';

const socketFinding = (path: string): Finding => warn(`${path}: nobody listens there. ${BY_ITSELF}`);

function leftFiles(directory: string): Finding[] {
  return namesIn(directory).flatMap((name) => {
    const path = join(directory, name);
    const meaning = meaningOf(name, directory);
    return meaning !== undefined && isOld(path) ? [warn(`${path}: ${meaning}`)] : [];
  });
}

function meaningOf(name: string, directory: string): string | undefined {
  if (name.endsWith('.tmp')) return 'a draft that was never finished. Remove it.';
  if (name.endsWith('.lock.remove'))
    return 'a window crashed while it took an id over, which cannot be used since. Remove it.';
  const id = /^(.*)\.lock$/.exec(name)?.[1];
  if (id === undefined || existsSync(join(directory, `${id}.json`))) return undefined;
  return 'the lock of a window that has no record. The next window that wants this id removes it.';
}
