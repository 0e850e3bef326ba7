import type * as vscode from 'vscode';
import { ifUserError } from '../../../core/errors.ts';
import { inParallel } from '../../../util/inParallel.ts';
import type { LanguageScope } from '../providers.ts';
import type { OpenPlace } from './places.ts';

const AT_ONCE = 4;
/** `vscode.DocumentHighlightKind`. */
const KINDS = { read: 1, write: 2 };

/**
 * The references that read, or that write, as document highlights tell them apart: VS Code's references do not. Each file is loaded.
 *
 * @returns undefined if the server does not tell them apart either
 * @throws UserError, CancelledError
 */
export async function onlyReadOrWritten(
  references: readonly OpenPlace[],
  kind: keyof typeof KINDS,
  { files, providers }: LanguageScope,
  signal: AbortSignal,
): Promise<OpenPlace[] | undefined> {
  const byPath = Map.groupBy(references, ({ location }) => location.path);
  const told = await inParallel([...byPath.values()], AT_ONCE, async ([first]) => {
    if (!first) return [];
    const { location, range } = first;
    const load = async () => files.openDocument(location) ?? (await files.loadDocument(location));
    const document = await load().catch(ifUserError(undefined));
    if (!document) return [];
    const at = [document, signal, range.start] as const;
    const found = await providers.ask<vscode.DocumentHighlight>('highlights', ...at);
    return found.map((one) => ({ kind: one.kind, key: `${location.path} ${one.range.start.line}` }));
  });
  if (!told.flat().some((one) => one.kind)) return undefined;
  const wanted = new Set(told.flat().flatMap((one) => (one.kind === KINDS[kind] ? [one.key] : [])));
  return references.filter(({ location, range }) => wanted.has(`${location.path} ${range.start.line}`));
}
