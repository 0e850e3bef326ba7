import { percentDecoded } from '../../core/paths.ts';
import { inSlices } from '../../util/queues.ts';
import type { ListedFile } from '../../workspace/list/listedFile.ts';
import { type Completion, completion } from '../context.ts';

/**
 * Values for the template variable `{+path}`: those of `matchingPaths`, escaped.
 *
 * @param pathOf the path of a file in the template
 */
export async function completePath(
  typed: string,
  files: Iterable<ListedFile>,
  pathOf: (file: ListedFile) => string,
  signal: AbortSignal,
): Promise<Completion> {
  const begun = asTyped(typed);
  const asValue = (file: ListedFile) => escaped(pathOf(file));
  return completion(await matchingPaths(files, asValue, begun, signal, percentDecoded(begun)));
}

/**
 * The next part of every path that starts with the typed text, folders with a slash, then other files that contain the text.
 *
 * @param begun typed, spelled as the values are
 * @param text typed, spelled as paths are
 */
export async function matchingPaths(
  files: Iterable<ListedFile>,
  asValue: (file: ListedFile) => string,
  begun: string,
  signal: AbortSignal,
  text = begun,
): Promise<string[]> {
  const found = await nextParts(files, asValue, begun, signal);
  if (begun === '') return found;
  const lower = text.toLowerCase();
  const ranked: { value: string; rank: number }[] = [];
  const add = (file: ListedFile) => {
    const rank = rankOf(file.named.toLowerCase(), lower);
    if (rank >= 0) ranked.push({ value: asValue(file), rank });
  };
  await inSlices(files, add, signal);
  ranked.sort((a, b) => a.rank - b.rank || a.value.length - b.value.length || (a.value < b.value ? -1 : 1));
  return [...new Set([...found, ...ranked.map(({ value }) => value)])];
}

/** The next part of every path that starts with `begun`. Folders end with a slash, to be completed further. */
async function nextParts(
  files: Iterable<ListedFile>,
  asValue: (file: ListedFile) => string,
  begun: string,
  signal: AbortSignal,
): Promise<string[]> {
  const found = new Set<string>();
  const add = (file: ListedFile) => {
    const value = asValue(file);
    if (!value.startsWith(begun)) return;
    const slash = value.indexOf('/', begun.length);
    found.add(slash < 0 ? value : value.slice(0, slash + 1));
  };
  await inSlices(files, add, signal);
  const [only] = found;
  // A single folder is no choice: continue inside it.
  if (found.size === 1 && only?.endsWith('/') && only !== begun)
    return nextParts(files, asValue, only, signal);
  return [...found].sort();
}

/** Lower is better; -1 if the path does not contain the text. Both in lower case. */
function rankOf(path: string, text: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const fits = [name.startsWith(text), path.startsWith(text), name.includes(text), path.includes(text)];
  return fits.indexOf(true);
}

/** A path as a value of `{+path}`, which does not escape reserved characters itself (RFC 6570, 3.2.3). */
const escaped = (path: string): string => path.replace(/[%#?]/g, encodeURIComponent);

/** Escapes typed text like `escaped`. It may end in half an escape; any other bare % is part of a name. */
const asTyped = (value: string): string =>
  value.replace(/(?:%[\da-f]{2})+|%[\da-f]?$|[%#?]/gi, (part, at: number) => {
    if (/^%.?$/.test(part) && at + part.length === value.length) return part.toUpperCase();
    return escaped(percentDecoded(part));
  });
