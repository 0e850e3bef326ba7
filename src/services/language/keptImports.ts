/** Which of TypeScript's edits for a move are made: it changes more than has to change. */
import { posix } from 'node:path';
import type * as vscode from 'vscode';
import { ifUserError } from '../../core/errors.ts';
import { firstOf } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { inParallel } from '../../util/queues.ts';
import type { NewPath } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { MovedConfigs } from './configEdits.ts';
import { staysRight } from './configPaths.ts';
import type { ProviderEdits } from './providerEdits.ts';
import type { LanguageScope } from './providers.ts';

const AT_ONCE = 8;

/** As in tsserver's protocol: lines and offsets are 1-based. */
export interface FileCodeEdits {
  fileName: string;
  textChanges: TextChange[];
}
interface TextChange {
  start: Place;
  end: Place;
  newText: string;
}
interface Place {
  line: number;
  offset: number;
}

interface Kept {
  files: ProviderEdits[];
  /** Files that the agent may not know. */
  closed: number;
  /** What stays as it is, for the agent. */
  notes: string[];
}

interface Move {
  from: Location;
  to: NewPath;
}

/** @throws CancelledError */
export async function keptEdits(
  found: readonly FileCodeEdits[],
  configs: MovedConfigs,
  move: Move,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Kept> {
  const isIgnored = await ignoredBy(move.from, scope, signal);
  const { files, closed, packages, ignored } = await withConfigs(found, configs, move, isIgnored, scope);
  const notes = [
    ['Imports by the name of a package', packages],
    ['Ignored declarations (.d.ts) that import it', ignored],
  ] as const;
  return {
    files,
    closed,
    notes: notes.flatMap(([what, places]) =>
      places.length > 0 ? [`${what} stay as they are: ${firstOf(places.map(visible))}.`] : [],
    ),
  };
}

/** Whether a file that does not move is a built declaration that no list has: a build writes it again. */
async function ignoredBy(
  { uri }: Location,
  { files }: LanguageScope,
  signal: AbortSignal,
): Promise<(importing: vscode.Uri) => boolean> {
  const listed = await files.list(signal);
  return (importing) =>
    /\.d\.[cm]?ts$/.test(importing.path) &&
    !isWithin(importing.path, uri.path) &&
    listed.from(`${importing}`).next().value?.key !== `${importing}`;
}

/**
 * The edits by file. Of TypeScript's edits of configurations, only new entries stay: it leaves out others, and takes a moved one to
 * stay. An import stays as it is if its alias moves along; and one by the name of a package, of which TypeScript makes a path to
 * what would be built in the new place.
 *
 * @returns also `path:line` of such imports, and the paths of ignored declarations
 */
async function withConfigs(
  found: readonly FileCodeEdits[],
  { files: configs, aliases }: MovedConfigs,
  { from, to }: Move,
  isIgnored: (importing: vscode.Uri) => boolean,
  { files, vscode }: LanguageScope,
): Promise<{ files: ProviderEdits[]; closed: number; packages: string[]; ignored: string[] }> {
  const all = new Map(configs.map((one) => [one.location.path, one]));
  const [packages, ignored]: [string[], string[]] = [[], []];
  let closed = 0;
  await inParallel(found, AT_ONCE, async ({ fileName, textChanges }) => {
    const location = await files.permitted(vscode.Uri.file(fileName));
    if (!location) closed++;
    if (location && isIgnored(location.uri)) ignored.push(location.path);
    if (!location || isIgnored(location.uri)) return;
    const lines = await files
      .lines(location, textChanges.map(lineOf))
      .catch(ifUserError(new Map<number, string>()));
    const isMoved = isWithin(location.uri.path, from.uri.path);
    const isLeft = (one: TextChange) => {
      if (isConfig(fileName)) return isInsertion(one);
      const specifier = lines.get(lineOf(one))?.slice(one.start.offset - 1, one.end.offset - 1) ?? '';
      if (staysRight(specifier, aliases)) return false;
      const isBuilt = !isMoved && /^[^./]/.test(specifier) && leadsOutside(location.uri, one.newText, to.uri);
      if (isBuilt) packages.push(`${location.path}:${one.start.line}`);
      return !isBuilt;
    };
    const edits = [
      ...(all.get(location.path)?.edits ?? []),
      ...textChanges.filter(isLeft).map((one) => toEdit(one, vscode)),
    ];
    if (edits.length > 0) all.set(location.path, { location, edits });
  });
  return { files: [...all.values()], closed, packages, ignored };
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** Whether a relative specifier in a file leads to something that is not at the new place. */
function leadsOutside(importing: vscode.Uri, specifier: string, { path }: vscode.Uri): boolean {
  if (!specifier.startsWith('.')) return false;
  const module = (name: string) => name.replace(/(\.d)?\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '');
  const target = posix.join(posix.dirname(importing.path), specifier);
  return !isWithin(module(target), module(path));
}

export const isConfig = (fileName: string): boolean => fileName.endsWith('.json');
const lineOf = ({ start }: TextChange): number => start.line - 1;
const isInsertion = ({ start, end }: TextChange): boolean =>
  start.line === end.line && start.offset === end.offset;

const toEdit = ({ start, end, newText }: TextChange, { Range }: typeof vscode): vscode.TextEdit => ({
  range: new Range(start.line - 1, start.offset - 1, end.line - 1, end.offset - 1),
  newText,
});
