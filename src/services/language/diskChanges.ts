import type * as vscode from 'vscode';
import { throwIfCancelled } from '../../core/messages.ts';
import { delay } from '../../util/clock.ts';
import type { Files } from '../../workspace/files.ts';
import type { Location } from '../../workspace/read/location.ts';
import { isTypeScript } from './checkers.ts';
import type { Checked } from './diagnostics.ts';
import { isOutdated } from './tsDiagnostics.ts';

/** Changes on the disk before that have been read, in milliseconds. */
const RECENT = 60_000;
/** How long VS Code and TypeScript may take to notice a change on the disk, and how often they are asked meanwhile, in milliseconds. */
const NOTICING = 6_000;
const POLL = 300;

/**
 * The problems of a file once VS Code has the text that a shell may have just written, and TypeScript knows of other files that it
 * has; `pending` if that takes too long.
 *
 * @param again looks once more, at nothing that was kept
 * @throws what `look` throws, CancelledError
 */
export async function asOnDisk(
  look: () => Promise<Checked>,
  again: () => Promise<Checked>,
  location: Location,
  files: Files,
  code: typeof vscode,
  signal: AbortSignal,
): Promise<Checked> {
  const isRead = await becomesTrue(() => hasTextOfDisk(location, files), signal);
  let checked = await look();
  const isNoticed = async () => {
    const document = files.openDocument(location);
    if (checked.state !== 'checked' || !document || !isTypeScript(document.languageId)) return true;
    if (!(await isOutdated(location, checked.diagnostics, files, code))) return true;
    checked = await again();
    return false;
  };
  const isCurrent = await becomesTrue(isNoticed, signal);
  return isRead && isCurrent ? checked : { ...checked, state: 'pending' };
}

async function hasTextOfDisk(location: Location, files: Files): Promise<boolean> {
  const modifiedAt = (await files.stat(location))?.modifiedAt.getTime() ?? 0;
  return Date.now() - modifiedAt > RECENT || files.isAsOnDisk(location);
}

/** @throws CancelledError */
async function becomesTrue(isTrue: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  for (let waited = 0; !(await isTrue()); waited += POLL) {
    if (waited >= NOTICING) return false;
    await delay(POLL, signal).catch(() => {});
    throwIfCancelled(signal);
  }
  return true;
}
