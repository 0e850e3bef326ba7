import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ClientRoots, Files, NOBODY } from '../../../src/workspace/files.ts';
import type { SearchQuery } from '../../../src/workspace/search/ripgrepSearch.ts';
import { type WindowFiles, windowFiles } from '../../../src/workspace/windowFiles.ts';
import { type FakeOptions, FakeVscode } from '../../fakes/vscode.ts';
import { makeTemporary, removeTemporary } from '../../temporary.ts';
import { silent } from '../log.ts';

const made: string[] = [];
let opened: WindowFiles[] = [];

/** Removes what the test before has made. */
export function cleanUp(): void {
  for (const window of opened) window.dispose();
  opened = [];
  for (const path of made.splice(0)) removeTemporary(path);
}

/** A new folder with these files, by their paths; all links resolved. */
export function folderWith(files: Record<string, string | Buffer> = {}): string {
  const root = makeTemporary();
  made.push(root);
  for (const [path, content] of Object.entries(files)) write(join(root, path), content);
  return root;
}

export function write(path: string, content: string | Buffer = ''): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** The path as the system gives it, which on Windows begins with a capital, unlike VS Code's. */
export const real = (...path: string[]): string => realpathSync.native(join(...path));

/** Roots that a client declared and never changes, and where its process works. */
export const rootsOf = (paths?: readonly string[], directory?: string): ClientRoots => ({
  paths,
  directory,
  onDidChange: () => ({ dispose: () => {} }),
});

/** A window with these folders, and one agent in it. */
export function openWindow(
  options: FakeOptions,
  clientRoots?: readonly string[],
): { fake: FakeVscode; window: WindowFiles; files: Files } {
  const fake = FakeVscode.create(options);
  const window = windowFiles(fake.api, silent);
  opened.push(window);
  return { fake, window, files: new Files(window, rootsOf(clientRoots), NOBODY) };
}

/** The paths that an agent sees. */
export const listed = async (files: Files): Promise<string[]> =>
  [...(await files.list())].map(({ path }) => path).sort();

/** What a search finds, by default for `needle`. */
export const search = (files: Files, query: Partial<SearchQuery>, signal = new AbortController().signal) => {
  const all = { query: 'needle', isRegex: false, caseSensitive: false, wholeWord: false };
  return files.search({ ...all, include: [], exclude: [], contextLines: 0, ...query }, signal);
};

/** Hits as text: `path:line:text` for a hit, `path:line-text` for a line around one. */
export const find = async (files: Files, query: Partial<SearchQuery> = {}): Promise<string[]> =>
  (await search(files, query)).map(({ path, line, text, hit }) => `${path}:${line}${hit ? ':' : '-'}${text}`);
