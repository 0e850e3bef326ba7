import { withLf } from '../../core/text/replacements.ts';
import { lineChanges } from '../../util/lineDiff.ts';
import type { Deed, Journal } from '../../workspace/edit/journal.ts';
import { linesOf } from '../../workspace/edit/merge.ts';
import { openDocument } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import type { ChangedLines } from './promptContext.ts';

/** Files that the agent wrote last, which are looked at. */
const MOST_FILES = 50;

/** Which lines the user has changed in open files since an agent wrote them. Of a file that no editor has, nobody types in it. */
export function usersChanges({ files, vscode, author }: Context, journal: Journal): ChangedLines[] {
  const last = new Map<string, Deed>();
  for (const { author: by, deeds } of journal.edits)
    for (const deed of deeds)
      if (by.id === author().id) last.set(`${deed.uri}`, deed);
      else if (last.has(`${deed.uri}`)) last.delete(`${deed.uri}`); // another agent's since
  return [...last.values()].slice(-MOST_FILES).flatMap((deed) => {
    const document = openDocument(vscode, deed);
    const after = textAfter(deed);
    if (!document || after === undefined) return [];
    const lines = changedLines(after, withLf(document.getText()));
    return lines.length > 0 ? [{ path: files.displayPath(deed.uri), lines }] : [];
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
