import type * as vscode from 'vscode';
import { ifUserError } from '../../../core/errors.ts';
import { inParallel } from '../../../util/inParallel.ts';
import type { LanguageScope } from '../providers.ts';
import type { OpenPlace } from './places.ts';

/** Files that are asked, at most: each is loaded. */
const MOST_FILES = 50;
const AT_ONCE = 4;

/**
 * The references that read, or that write, as document highlights tell them apart: the protocol's references do not.
 *
 * @throws CancelledError
 */
export async function onlyReadOrWritten(
  references: readonly OpenPlace[],
  kind: 'read' | 'write',
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<{ places: OpenPlace[]; note?: string }> {
  const byPath = [...Map.groupBy(references, ({ location }) => location.path).values()];
  const asked = byPath.slice(0, MOST_FILES);
  const told = await inParallel(asked, AT_ONCE, (places) => highlightsAt(places, scope, signal));
  const number = kind === 'read' ? 1 : 2; // vscode.DocumentHighlightKind
  const wanted = new Set(
    told
      .flat()
      .filter((one) => one.kind === number)
      .map(({ key }) => key),
  );
  const isTold = told.flat().some((one) => one.kind);
  const notes = [
    !isTold && 'The language server does not tell reads and writes apart. Call it without kind.',
    byPath.length > asked.length && `Only the first ${MOST_FILES} of ${byPath.length} files were looked at.`,
  ];
  const places = references.filter(({ location, range }) =>
    wanted.has(`${location.path} ${range.start.line}`),
  );
  return { places, note: notes.filter(Boolean).join(' ') };
}

async function highlightsAt(
  places: readonly OpenPlace[],
  { files, providers }: LanguageScope,
  signal: AbortSignal,
): Promise<{ key: string; kind: number | undefined }[]> {
  const [first] = places;
  if (!first) return [];
  const { location, range } = first;
  const load = async () => files.openDocument(location) ?? (await files.loadDocument(location));
  const document = await load().catch(ifUserError(undefined));
  if (!document) return [];
  const found = await providers.ask<vscode.DocumentHighlight>(
    'reads and writes',
    document,
    signal,
    range.start,
  );
  return found.map(({ range, kind }) => ({ key: `${location.path} ${range.start.line}`, kind }));
}
