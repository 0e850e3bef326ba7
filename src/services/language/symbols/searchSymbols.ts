import type * as vscode from 'vscode';
import { UserError } from '../../../core/errors.ts';
import { addressed } from '../../../core/symbolPaths.ts';
import { inParallel } from '../../../util/inParallel.ts';
import type { LanguageScope } from '../providers.ts';
import { kindName, outlineOf } from './outline.ts';
import { openPlaces } from './places.ts';
import { filesWith, workspaceSymbols } from './symbolFiles.ts';

export interface Found {
  path: string;
  /** 1-based. */
  line: number;
  kind: string;
  /** With its container, redacted. */
  name: string;
}

/** Symbols that are looked at, at most. */
const MOST = 1_000;
const AT_ONCE = 8;

/**
 * The symbols of the workspace by part of their name, the best matches first. Servers know their loaded projects; if they find
 * nothing, the files with the text are asked for their symbols. @throws UserError, CancelledError
 */
export async function searchSymbols(
  query: string,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<{ symbols: Found[]; closed: number }> {
  const known = [...(await workspaceSymbols(query, scope, signal))].sort(
    (a, b) => distance(a.name, query) - distance(b.name, query),
  );
  if (known.length > 0) return ofServers(known.slice(0, MOST), scope);
  const locations = await filesWith(query, scope, signal, false);
  const outlines = await Promise.allSettled(locations.map((one) => outlineOf(one, scope, signal)));
  const symbols = outlines.flatMap((one) => {
    if (one.status === 'fulfilled') return foundIn(one.value, query);
    if (one.reason instanceof UserError) return [];
    throw one.reason;
  });
  return { symbols, closed: 0 };
}

const foundIn = ({ location, symbols }: Awaited<ReturnType<typeof outlineOf>>, query: string): Found[] =>
  addressed(symbols)
    .filter(({ symbol }) => distance(symbol.name, query) < 3)
    .map(({ symbol: { line, kind }, path }) => ({ path: location.path, line, kind, name: path }));

/** 0 for the name itself, 3 if it does not contain the query. */
function distance(name: string, query: string): number {
  const [text, wanted] = [name.toLowerCase(), query.toLowerCase()];
  if (text === wanted) return 0;
  return text.startsWith(wanted) ? 1 : text.includes(wanted) ? 2 : 3;
}

async function ofServers(
  symbols: readonly vscode.SymbolInformation[],
  { files }: LanguageScope,
): Promise<{ symbols: Found[]; closed: number }> {
  const places = symbols.map((one, rank) => ({
    ...one.location,
    label: qualified(one),
    kind: one.kind,
    rank,
  }));
  const { open, closed } = await openPlaces(places, files);
  const locations = new Map(open.map(({ location }) => [location.path, location]));
  const redacted = new Map(
    await inParallel([...locations], AT_ONCE, async ([path, location]) => {
      return [path, await files.redactor.redactedText(location)] as const;
    }),
  );
  const found = open
    .sort((a, b) => a.rank - b.rank)
    .map(({ location: { path }, range, label, kind }) => ({
      ...{ path, line: range.start.line + 1, kind: kindName(kind) },
      name: redacted.get(path)?.named(label, range) ?? label,
    }));
  return { symbols: found, closed };
}

const qualified = ({ name, containerName }: vscode.SymbolInformation): string =>
  containerName ? `${containerName}/${name}` : name;
