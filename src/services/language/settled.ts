/** Waiting for the report on a document's current text. */
import type * as vscode from 'vscode';
import { unlessAborted } from '../../util/deadline.ts';
import { checkersOf, isBuiltIn, ownServersOf } from './checkers.ts';
import type { Reports } from './reports.ts';

/** VS Code's own servers start checking a text within this time, in milliseconds. */
const OWN_SERVERS_DELAY = 1_000;

/** Waits for the last report on the current text; false if the limit comes first. */
export async function settled(
  code: typeof vscode,
  reports: Reports,
  document: vscode.TextDocument,
  limit: AbortSignal,
): Promise<boolean> {
  while (!limit.aborted) {
    if (!reports.has(document)) await reports.next(document, limit);
    else if (reports.settlesIn(document) <= 0) return true;
    // A server that is checking the text answers late. A timer may fire up to 1 ms early.
    else
      await Promise.all([
        serverAnswers(code, document, limit),
        reports.next(document, limit, reports.settlesIn(document) + 1),
      ]);
  }
  return false;
}

/**
 * Handles a text that was in a tab before this extension started: it may have been reported on then, and will not be again.
 * VS Code's own servers work sequentially. If they answer two requests with enough time to check in between, they have checked.
 */
export async function checkOlder(
  code: typeof vscode,
  reports: Reports,
  document: vscode.TextDocument,
  limit: AbortSignal,
): Promise<void> {
  const { languageId, uri } = document;
  if (reports.has(document) || !reports.isOlder(document)) return;
  if (code.languages.getDiagnostics(uri).length > 0) return reports.add(document);
  if (ownServersOf(code, languageId).length === 0) return;
  if (!checkersOf(code, languageId).every(isBuiltIn)) return;
  await serverAnswers(code, document, limit);
  await reports.next(document, limit, OWN_SERVERS_DELAY);
  await serverAnswers(code, document, limit);
  if (!limit.aborted && reports.isOlder(document)) reports.add(document);
}

/** Waits for an answer of the servers. VS Code's own are started first: a request skips servers that have not started. */
async function serverAnswers(
  code: typeof vscode,
  { uri, languageId }: vscode.TextDocument,
  limit: AbortSignal,
): Promise<void> {
  const { commands, Position } = code;
  const starting = ownServersOf(code, languageId).map((extension) => extension.activate());
  const answered = Promise.all(starting).then(() =>
    commands.executeCommand('vscode.executeHoverProvider', uri, new Position(0, 0)),
  );
  await unlessAborted(answered, limit).catch(() => {});
}
