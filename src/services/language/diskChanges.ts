import type * as vscode from 'vscode';
import { throwIfCancelled } from '../../core/errors.ts';
import { delay } from '../../util/clock.ts';
import type { Files } from '../../workspace/files.ts';
import type { Location } from '../../workspace/read/location.ts';
import { isTypeScript } from './checkers.ts';
import type { Checked } from './reports.ts';
import { isOutdated } from './tsDiagnostics.ts';
import { reloadStuckProjects, STUCK } from './tsProjects.ts';

/** How long TypeScript may take to notice a change on the disk, and how often it is asked meanwhile, in milliseconds. */
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
  let checked = await look();
  const isNoticed = async () => {
    const document = files.openDocument(location);
    if (checked.state !== 'checked' || !document || !isTypeScript(document.languageId)) return true;
    if (!(await isOutdated(location, checked.diagnostics, files, code))) return true;
    checked = await again();
    return false;
  };
  const isCurrent = (await becomesTrue(isNoticed, code, signal)) && (await files.isAsOnDisk(location));
  // Problems of another state of the disk are no answer.
  return isCurrent ? checked : { diagnostics: [], state: 'pending' };
}

/** @throws CancelledError */
async function becomesTrue(
  isTrue: () => Promise<boolean>,
  code: typeof vscode,
  signal: AbortSignal,
): Promise<boolean> {
  for (let waited = 0; !(await isTrue()); waited += POLL) {
    if (waited >= NOTICING) return false;
    if (waited === STUCK) await reloadStuckProjects(code);
    await delay(POLL, signal).catch(() => {});
    throwIfCancelled(signal);
  }
  return true;
}
