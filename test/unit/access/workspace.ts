import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Files, WindowFiles } from '../../../src/access/files.ts';
import { type FakeOptions, FakeVscode } from '../../fakes/vscode.ts';
import { silent } from '../log.ts';

const made: string[] = [];
let opened: WindowFiles[] = [];

/** Removes what the test before has made. */
export function cleanUp(): void {
  for (const window of opened) window.dispose();
  opened = [];
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
}

/** A new folder with these files, by their paths; real, all links resolved. */
export function folderWith(files: Record<string, string | Buffer> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'workspace-mcp-test-')));
  made.push(root);
  for (const [path, content] of Object.entries(files)) write(join(root, path), content);
  return root;
}

export function write(path: string, content: string | Buffer = ''): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** A window with these folders, and one agent in it. */
export function openWindow(
  options: FakeOptions,
  clientRoots?: readonly string[],
): { fake: FakeVscode; window: WindowFiles; files: Files } {
  const fake = FakeVscode.create(options);
  const window = new WindowFiles(fake.api, silent);
  opened.push(window);
  return { fake, window, files: new Files(window, () => clientRoots) };
}

/** The paths that an agent sees. */
export const listed = async (files: Files): Promise<string[]> =>
  (await files.list()).map(({ path }) => path).sort();
