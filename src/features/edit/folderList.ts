/** What is in a folder that goes or arrives, as an answer shows it. */
import type { FileDiff } from '../../access/consent/types.ts';
import { REDACTED } from '../../access/redaction/redaction.ts';
import { counted } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { unifiedDiff } from '../../util/lineDiff.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { Context } from '../context.ts';

/** The text of a file, or the list of a folder, that goes or arrives; of files that are ignored or excluded only the number. */
export async function contentDiff(
  { path, before, after, operation: done }: FileDiff,
  operation: Operation | undefined,
  { files }: Context,
  signal: AbortSignal,
): Promise<string> {
  const diffOf = (from: string, to: string) => unifiedDiff(visible(path), from, to) ?? '';
  if (done?.files === undefined || !operation || !('location' in operation)) return diffOf(before, after);
  const base = `${operation.location.uri.path}/`;
  const all = (await files.list(signal)).filter(({ uriPath }) => uriPath.startsWith(base));
  const own = new Set(all.map(({ uriPath }) => uriPath.slice(base.length)));
  const lists = [before, after].map((list) => withoutIgnored(list, own));
  const ignored = lists.reduce((sum, list) => sum + list.ignored, 0);
  const [from = '', to = ''] = lists.map(({ shown }) => shown);
  return `${diffOf(from, to)}${ignored > 0 ? `and ${counted(ignored, 'file')} ignored or excluded` : ''}`;
}

/** A list without the files that are not among the own ones, and without folders that have only such. */
function withoutIgnored(list: string, own: ReadonlySet<string>): { shown: string; ignored: number } {
  const entries = list.split('\n').filter(Boolean);
  const files = entries.filter((one) => !one.endsWith('/'));
  const kept = new Set(files.filter((one) => own.has(one) || one.includes(REDACTED)));
  const [used, filled] = [foldersOf(kept), foldersOf(files)];
  const shown = entries.filter(
    (one) => kept.has(one) || (one.endsWith('/') && (used.has(one) || !filled.has(one))),
  );
  return { shown: shown.map((one) => `${one}\n`).join(''), ignored: files.length - kept.size };
}

/** The folders above some files, each with a slash at its end. */
const foldersOf = (files: Iterable<string>): Set<string> =>
  new Set(
    [...files].flatMap((file) => [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index + 1))),
  );
