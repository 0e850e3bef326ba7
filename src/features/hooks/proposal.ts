/** What an agent would do with a tool of its own, as the user is asked about it. */
import { resolve } from 'node:path';
import type * as vscode from 'vscode';
import type { FileDiff, PlannedAction } from '../../access/consent/types.ts';
import { attempt, NotFoundError } from '../../core/errors.ts';
import type { HookEvent, ProposedEdit } from '../../core/hooks/event.ts';
import { applyHunks } from '../../core/patch/applyHunks.ts';
import { type Hunk, newLines, oldLines } from '../../core/patch/filePatch.ts';
import { combined, type PathChange, parsePatch } from '../../core/patch/parsePatch.ts';
import { withLf } from '../../core/text/replacements.ts';
import type { Context } from '../context.ts';

/** A file that is open to the agent, or a path at which it may make one. */
interface Place {
  uri: vscode.Uri;
  path: string;
  isNew: boolean;
  /** The text on the disk, with `\n` line ends; undefined if something of it is hidden from agents, or it is no UTF-8. */
  before: string | undefined;
}

/** Undefined if it cannot be shown in full. @throws UserError if a file is closed to the agent, or no text */
export async function plannedBy(event: HookEvent, ctx: Context): Promise<PlannedAction | undefined> {
  const { proposed = [], paths = [], command, cwd } = event;
  const known = new Map<string, Promise<Place>>();
  const at = (path: string): Promise<Place> => {
    const place = known.get(path) ?? placeOf(resolve(cwd, path), ctx);
    known.set(path, place);
    return place;
  };
  const [first] = await Promise.all(paths.map(at));
  const diffs: FileDiff[] = [];
  for (const one of proposed) {
    const some = await diffsOf(one, at, first);
    if (some.length === 0) return undefined;
    diffs.push(...some);
  }
  if (diffs[0]) return { kind: 'edit', subject: diffs[0].path, diffs };
  if (!command) return undefined;
  return { kind: 'run', subject: command, commandLine: command };
}

async function placeOf(path: string, { files }: Context): Promise<Place> {
  const location = await files.locate(path).catch((error) => {
    if (!(error instanceof NotFoundError)) throw error;
  });
  if (!location) {
    const { uri, path: shown } = await files.locateNew(path);
    return { uri, path: shown, isNew: true, before: '' };
  }
  const text = await files.textOnDisk(location);
  const { uri, path: shown } = location;
  return { uri, path: shown, isNew: false, before: text === undefined ? undefined : withLf(text) };
}

type At = (path: string) => Promise<Place>;

async function diffsOf(edit: ProposedEdit, at: At, first: Place | undefined): Promise<FileDiff[]> {
  if ('patch' in edit) {
    const changes = attempt(() => combined(parsePatch(edit.patch)));
    if (changes) return Promise.all(changes.map((one) => changeOf(one, at)));
    return first ? [unfit(first, '', withLf(edit.patch))] : [];
  }
  const place = await at(edit.path);
  if ('content' in edit) return [diffOf(place, withLf(edit.content), '', withLf(edit.content))];
  const { replacements } = edit;
  const join = (side: 'old' | 'by') => withLf(replacements.map((one) => one[side]).join('\n'));
  return [diffOf(place, replaced(place.before, replacements), join('old'), join('by'))];
}

/** @param after undefined if the proposal does not fit. @param own the proposal's own texts */
function diffOf(place: Place, after: string | undefined, ...own: [before: string, after: string]): FileDiff {
  const { uri, path, isNew, before } = place;
  if (after === undefined || before === undefined) return unfit(place, ...own);
  return { uri, path, before, after, ...(isNew && { operation: { type: 'create' } }) };
}

/** The proposal's own text, for a file that it does not fit. */
const unfit = ({ uri, path }: Place, before: string, after: string): FileDiff => ({
  uri,
  path,
  before,
  after,
  isUnfit: true,
});

/** Undefined if a text is missing, or is there more than once though one is meant. */
function replaced(
  text: string | undefined,
  replacements: readonly { old: string; by: string; isAll?: boolean }[],
): string | undefined {
  let now = text;
  for (const { old, by, isAll } of replacements) {
    const parts = old === '' ? undefined : now?.split(withLf(old));
    const fits = parts ? parts.length === 2 || (isAll && parts.length > 1) : now === '';
    if (!fits) return undefined;
    now = parts ? parts.join(withLf(by)) : withLf(by);
  }
  return now;
}

async function changeOf({ path, steps, ...change }: PathChange, at: At): Promise<FileDiff> {
  const { type } = change;
  const place = await at(path);
  const { uri, path: shown, before = '' } = place;
  if (type === 'delete') return { uri, path: shown, before, after: '', operation: { type } };
  const source = change.type === 'create_from' ? await at(change.source) : place;
  const isMade = type === 'create' || type === 'replace';
  const text = isMade ? '' : source.isNew ? undefined : source.before;
  const after = text === undefined ? undefined : attempt(() => patched(text, steps, shown));
  const lines = (of: typeof oldLines) =>
    steps.flatMap((hunks) => hunks.flatMap((one) => of(one).map(({ text }) => text))).join('\n');
  return diffOf(place, after, lines(oldLines), lines(newLines));
}

const patched = (text: string, steps: readonly Hunk[][], path: string): string =>
  steps.reduce((now, hunks) => applyHunks(now, hunks, path).text, text);
