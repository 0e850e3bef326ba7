import type * as vscode from 'vscode';
import { deleted } from '../../core/declarations/replace.ts';
import type { DeclarationEdit, OffsetEdit } from '../../core/declarations/source.ts';
import { UserError } from '../../core/errors.ts';
import { counted } from '../../core/text/shown.ts';
import type { DeclaredSymbol } from '../../services/language/symbols/declaration.ts';
import {
  hitsAt,
  linesElsewhere,
  noteOnElsewhere,
  openPlaces,
} from '../../services/language/symbols/places.ts';
import type { Context } from '../context.ts';
import { grouped, noteOnClosed, titleOf } from '../symbols/shown.ts';

/** Lines listed that use the symbol. */
const MOST_USES_LISTED = 20;

/**
 * What deletes a symbol that nothing uses.
 *
 * @returns also a note if no language server knows of uses
 * @throws UserError with the uses
 */
export async function deletion(
  found: DeclaredSymbol,
  ctx: Context,
  signal: AbortSignal,
): Promise<[edit: DeclarationEdit, note: string | undefined]> {
  const edit = joined(found.indexes.map((index) => deleted(found.scope, index)));
  const { providers, files } = ctx;
  const { document, position } = found.target;
  const all = await providers.ask<vscode.Location>('references', document, signal, position);
  if (all.length === 0) return [edit, `Uses were not checked. ${providers.why('references', document)}`];
  const uses = all.filter((one) => `${one.uri}` !== `${document.uri}` || !isOwn(one, found));
  const { open, closed } = await openPlaces(uses, files);
  const elsewhere = await linesElsewhere(found.target, new Set(), ctx, signal);
  if (elsewhere.length > 0)
    throw new UserError(
      `Nothing was deleted. ${noteOnElsewhere(elsewhere, found.target)} Use edit_file to delete it nevertheless.`,
    );
  if (open.length + closed === 0) return [edit, undefined];
  const lines = grouped(await hitsAt(open.slice(0, MOST_USES_LISTED), files));
  const more = open.length > MOST_USES_LISTED ? 'This is not all. Use find_references.' : undefined;
  const count = counted(open.length + closed, 'line uses', 'lines use');
  const heading = `Nothing was deleted: ${count} ${titleOf(found.target)} outside of itself.`;
  throw new UserError([heading, ...lines, more, noteOnClosed(closed)].filter(Boolean).join('\n'), {
    lines: true,
  });
}

/** Whether a reference is in the declaration, or is the name of another overload. */
function isOwn({ range }: vscode.Location, { scope, indexes, siblings, node }: DeclaredSymbol): boolean {
  const { extents, source } = scope;
  const at = source.offsetAt(range.start);
  for (const own of indexes.map((index) => extents[index])) {
    if (own?.isAlone && source.startOf(own.lead) <= at && at <= source.endOf(own.last)) return true;
    if (own && own.from <= at && at < own.to) return true;
  }
  return siblings.some(({ label, name }) => label === node.label && name === at);
}

/** What deletes each of several declarations; two may take the same gap between them. */
function joined(all: readonly DeclarationEdit[]): DeclarationEdit {
  const edits: OffsetEdit[] = [];
  for (const edit of all.flatMap((one) => one.edits).sort((a, b) => a.from - b.from)) {
    const last = edits.at(-1);
    if (last && edit.from <= last.to) last.to = Math.max(last.to, edit.to);
    else edits.push({ ...edit });
  }
  return {
    edits,
    first: Math.min(...all.map(({ first }) => first)),
    last: Math.max(...all.map(({ last }) => last)),
  };
}
