import type * as vscode from 'vscode';
import { withLf } from '../../core/text/replacements.ts';
import { lineChanges } from '../../util/lineDiff.ts';
import { displayPath, openDocument } from '../read/location.ts';
import type { Author, Deed, Journal } from './journal.ts';
import { linesOf } from './merge.ts';

/** Lines that the user has changed in a file that the agent has written since: 1-based, both ends included. */
export interface ChangedLines {
  /** As results name the file. */
  path: string;
  lines: readonly (readonly [from: number, to: number])[];
}

/** Files that the agent wrote last, which are looked at. */
const MOST_FILES = 50;

/** Which lines the user has changed in open files since an agent wrote them. Of a file that no editor has, nobody types in it. */
export function usersChanges(code: typeof vscode, journal: Journal, author: Author): ChangedLines[] {
  const last = new Map<string, Deed>();
  for (const { author: by, deeds } of journal.edits)
    for (const deed of deeds)
      if (by.id === author.id) last.set(`${deed.uri}`, deed);
      else if (last.has(`${deed.uri}`)) last.delete(`${deed.uri}`); // another agent's since
  return [...last.values()].slice(-MOST_FILES).flatMap((deed) => {
    const document = openDocument(code, deed);
    const after = textAfter(deed);
    if (!document || after === undefined || journal.isBehind(document)) return [];
    const lines = changedLines(after, withLf(document.getText()));
    return lines.length > 0 ? [{ path: displayPath({ vscode: code }, deed.uri), lines }] : [];
  });
}

const textAfter = (deed: Deed): string | undefined => {
  if (deed.type === 'edit') return deed.after;
  const bytes = deed.type === 'create' ? deed.files?.[0]?.bytes : undefined;
  return bytes && withLf(new TextDecoder().decode(bytes));
};

/** 1-based, in the present text. */
function changedLines(before: string, now: string): [from: number, to: number][] {
  const changes = lineChanges(now, before).map(linesOf); // as changes of the present text
  return changes.map(({ start, end }) => [start + 1, Math.max(start + 1, end)]);
}
