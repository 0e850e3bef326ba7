/**
 * The least that an agent with server-filesystem can do. Its tools find files by name only, so that finding a text means reading files.
 * It reads the imports of all files first, and then, as if it had guessed them, only the files that it needs; each once.
 */
import { dirname, join } from 'node:path';
import type { Meter, Tally } from './meter.ts';

/** Lines of a file that it reads for the imports. */
const IMPORTS = 20;

export class FileAgent {
  /** The texts of all files, by path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly #meter: Meter;
  readonly #seen = new Set<string>();
  readonly #once: Map<string, Tally>;

  /** @param once what was asked in all tasks, and what that took the first time; this task adds to it */
  constructor(meter: Meter, texts: ReadonlyMap<string, string>, once: Map<string, Tally>) {
    this.#meter = meter;
    this.texts = texts;
    this.#once = once;
  }

  /** Reads all files that contain a name. */
  async readNaming(name: string): Promise<void> {
    await this.#findAndRead((text) => wordOf(name).test(text));
  }

  /** Reads all files that contain a text. */
  async readContaining(wanted: string): Promise<void> {
    await this.#findAndRead((text) => text.includes(wanted));
  }

  /** Reads all files that import a file. */
  async readImporting(file: string): Promise<void> {
    const importsIt = (text: string, path: string) =>
      [...text.matchAll(/from "(\.[^"]+)\.js"/g)].some(
        ([, name = '']) => `${join(dirname(path), name)}.ts` === file,
      );
    await this.#findAndRead(importsIt);
  }

  async #findAndRead(isWanted: (text: string, path: string) => boolean): Promise<void> {
    await this.#call('search_files', { path: '.', pattern: '**/*.ts' });
    for (const path of this.texts.keys()) await this.#call('read_text_file', { path, head: IMPORTS });
    for (const [path, text] of this.texts)
      if (isWanted(text, path)) await this.#call('read_text_file', { path });
  }

  /**
   * Reads from the nearer end of a file to a part of it, as if it knew its lines.
   *
   * @param texts of lines, one after another; the part begins at the last one
   * @param end its last line
   */
  async readPart(path: string, texts: readonly string[], end: RegExp): Promise<void> {
    const lines = this.texts.get(path)?.split('\n') ?? [];
    const first = texts.reduce(
      (from, text) => lines.findIndex((line, at) => at >= from && line.includes(text)),
      0,
    );
    const head = lines.findIndex((line, at) => at >= first && end.test(line)) + 1;
    const tail = lines.length - first;
    await this.#call('read_text_file', head < tail ? { path, head } : { path, tail });
  }

  /** Replaces a name by another, one pair an occurrence: a pair replaces the first that it finds. */
  async rename(path: string, oldText: string, newText: string): Promise<void> {
    const { length } = [...(this.texts.get(path) ?? '').matchAll(wordOf(oldText))];
    await this.edit(
      path,
      Array.from({ length }, () => ({ oldText, newText })),
    );
  }

  async edit(path: string, edits: { oldText: string; newText: string }[]): Promise<void> {
    await this.#call('edit_file', { path, edits });
  }

  async #call(tool: string, args: object): Promise<void> {
    const key = JSON.stringify([tool, args]);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    await this.#meter.call(tool, args);
    if (!this.#once.has(key)) this.#once.set(key, this.#meter.last);
  }
}

/** A whole identifier. */
export const wordOf = (name: string): RegExp =>
  new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$&')}(?![\\w$])`, 'g');
