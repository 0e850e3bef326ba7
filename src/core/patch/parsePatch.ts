import { UserError } from '../errors.ts';
import { withLf } from '../text/replacements.ts';
import { type FilePatch, type Hunk, type PatchReader, readHunk } from './filePatch.ts';
import { readUnifiedDiff } from './unifiedDiff.ts';

/**
 * Reads a unified diff, or a patch that starts with `*** Begin Patch`.
 *
 * @returns at least one file
 * @throws UserError with the line that does not fit
 */
export function parsePatch(patch: string): FilePatch[] {
  const lines = withLf(patch).replace(/\n$/, '').split('\n');
  const files = isBeginPatch(lines) ? readBeginPatch(lines) : readUnifiedDiff(lines);
  if (files.length > 0) return files;
  if (patch.trim() === '') throw new UserError('The patch is empty.');
  throw new UserError(
    'The patch changes no text. A unified diff has "--- a/PATH", "+++ b/PATH" and "@@" lines above its changes; the other form is between "*** Begin Patch" and "*** End Patch".',
  );
}

/** What a patch does to one file, all its parts together. */
export type PathChange = { path: string /** Applied one after another. */; steps: Hunk[][] } & (
  | { type: 'edit' }
  /** The file is there; its text is replaced by that of the steps. */
  | { type: 'replace' }
  | { type: 'create' }
  /** The steps change the text of another file; that one is deleted by a change of its own. */
  | { type: 'create_from'; source: string }
  /** The steps, if there are any, have to leave no text. */
  | { type: 'delete' }
);

/** What is known of a path while the parts are gone through. */
interface State {
  /** The file as it was before the patch; undefined if the text starts empty. */
  source?: string | undefined;
  steps: Hunk[][];
  isGone?: true;
}

/**
 * Combines the parts of a patch that are about the same file, each applied to the result of those before.
 *
 * @throws UserError if they contradict each other, or change nothing
 */
export function combined(patches: readonly FilePatch[]): PathChange[] {
  const files = new PatchedFiles();
  for (const patch of patches) files.add(patch);
  const changes = files.changes();
  const isChange = ({ type, steps }: PathChange) =>
    type !== 'edit' || steps.flat().some(({ lines }) => lines.some(({ kind }) => kind !== ' '));
  if (changes.some(isChange)) return changes;
  throw new UserError('The patch changes nothing: its hunks have no lines that start with "+" or "-".');
}

class PatchedFiles {
  readonly #states = new Map<string, State>();
  /** Paths at which there has to be a file before the patch. */
  readonly #existing = new Set<string>();

  add({ from, to, isCopy, hunks }: FilePatch): void {
    const steps = hunks.length > 0 ? [[...hunks]] : [];
    if (from === undefined) {
      this.#create(to ?? '', { steps });
      return;
    }
    const old = this.#stateOf(from);
    const state = { source: old.source, steps: [...old.steps, ...steps] };
    if (from === to) this.#states.set(from, state);
    else if (to === undefined) this.#delete(from, steps.length > 0 ? state.steps : []);
    else {
      if (old.source !== from)
        throw new UserError(
          `The patch renames ${from}, which it has created or renamed before. Send two patches.`,
        );
      this.#create(to, state);
      if (!isCopy) this.#delete(from, []);
    }
  }

  changes(): PathChange[] {
    return [...this.#states].flatMap(([path, state]) => changeOf(path, state, this.#existing.has(path)));
  }

  #stateOf(path: string): State {
    const known = this.#states.get(path);
    if (known?.isGone) throw new UserError(`The patch changes ${path} after it has deleted or renamed it.`);
    if (!known) this.#existing.add(path);
    return known ?? { source: path, steps: [] };
  }

  #create(path: string, state: State): void {
    const known = this.#states.get(path);
    if (known && !known.isGone) throw new UserError(`The patch creates ${path} after it has changed it.`);
    this.#states.set(path, state);
  }

  #delete(path: string, steps: Hunk[][]): void {
    this.#states.set(path, { source: path, steps, isGone: true });
  }
}

function changeOf(path: string, { source, steps, isGone }: State, isExisting: boolean): PathChange[] {
  if (isGone) return isExisting ? [{ type: 'delete', path, steps }] : [];
  if (source === path) return [{ type: 'edit', path, steps }];
  if (source !== undefined) return [{ type: 'create_from', path, source, steps }];
  return [{ type: isExisting ? 'replace' : 'create', path, steps }];
}

const HEADER = /^\*\*\* (Add File|Delete File|Update File|Move to): +(.*\S)\s*$/;
const BEGIN = /^\s*\*\*\* Begin Patch\s*$/;
const END = /^\s*\*\*\* End Patch\s*$/;

/** Whether a patch has the form that starts with `*** Begin Patch`: that is its first line that starts one. */
const isBeginPatch = (lines: readonly string[]): boolean =>
  BEGIN.test(lines.find((line) => BEGIN.test(line) || /^(?:diff |--- )/.test(line)) ?? '');

/** The patches of all files, in order. @throws UserError with the line that does not fit */
function readBeginPatch(lines: readonly string[]): FilePatch[] {
  const end = lines.findLastIndex((line) => END.test(line));
  if (end < 0)
    throw new UserError('The patch has no line "*** End Patch": it may be cut off. Send all of it.');
  const inside = lines.slice(0, end);
  const patch = { lines: inside, at: inside.findIndex((line) => BEGIN.test(line)) + 1 };
  const files: FilePatch[] = [];
  while (patch.at < end) {
    if (inside[patch.at]?.trim() === '') patch.at++;
    else files.push(readFile(patch));
  }
  return files;
}

function readFile(patch: PatchReader): FilePatch {
  const { lines } = patch;
  const line = lines[patch.at++] ?? '';
  const [, action, path = ''] = HEADER.exec(line.trim()) ?? [];
  if (action === 'Delete File') return { from: path, hunks: [] };
  if (action === 'Add File') return { to: path, hunks: readAdded(patch) };
  if (action !== 'Update File')
    throw new UserError(
      `Line ${patch.at} of the patch is not allowed here: ${JSON.stringify(line)}. Files start with "*** Add File: ", "*** Update File: " or "*** Delete File: "; lines of hunks with a space, "-" or "+".`,
    );
  const [, move, to = path] = HEADER.exec(lines[patch.at] ?? '') ?? [];
  const isMove = move === 'Move to';
  if (isMove) patch.at++;
  return { from: path, to: isMove ? to : path, hunks: readHunks(patch) };
}

/** The text of a new file, as a hunk; none if it is empty. */
function readAdded(patch: PatchReader): Hunk[] {
  const { lines, at } = patch;
  while (/^(?:\+|$)/.test(lines[patch.at] ?? '*')) patch.at++;
  const added = lines.slice(at, patch.at);
  while (added.at(-1) === '') added.pop();
  if (added.length === 0) return [];
  const own = added.map((line) => ({ kind: '+' as const, text: line.slice(1) }));
  return [{ line: at + 1, anchors: [], isAtEnd: false, lines: own }];
}

/** The first hunk may have no line with `@@`. */
function readHunks(patch: PatchReader): Hunk[] {
  const hunks: Hunk[] = [];
  for (;;) {
    while (patch.lines[patch.at]?.trim() === '') patch.at++;
    if (!/^(?:@@|[-+ ])/.test(patch.lines[patch.at] ?? '')) return hunks;
    hunks.push(readHunk(patch));
  }
}
