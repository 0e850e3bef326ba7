/**
 * The least that a competent agent with a shell does: `rg`, reads of ranges of lines, exact edits. It knows what it looks for: how a
 * declaration is written, and where the part that it reads begins and ends. The parameters are those of Claude Code's tools.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sum, type Tally, tallyOf } from './meter.ts';

/** A line that `rg -n` has printed. */
export interface Line {
  path: string;
  /** 1-based. */
  line: number;
  text: string;
}

export class ShellAgent {
  readonly #folder: string;
  readonly #ripgrep: string;
  #tallies: Tally[] = [];

  constructor(folder: string, ripgrep: string) {
    this.#folder = folder;
    this.#ripgrep = ripgrep;
  }

  /** What was counted since the last time. */
  take(): Tally {
    return sum(this.#tallies.splice(0));
  }

  /** Lines of all TypeScript files. @param globs files to search, or not */
  search(pattern: string, ...globs: string[]): Line[] {
    return this.#search('-n', pattern, globs);
  }

  /** Hits of several lines each. */
  searchAcross(pattern: string): Line[] {
    return this.#search('-nU', pattern, []);
  }

  #search(option: string, pattern: string, globs: readonly string[]): Line[] {
    const output = this.#rg(option, pattern, '-t', 'ts', ...globs.flatMap((glob) => ['-g', glob]));
    return output.split('\n').flatMap((printed) => {
      const [, path = '', line, text = ''] = /^(.*?):(\d+):(.*)$/.exec(printed) ?? [];
      return line ? [{ path, line: Number(line), text }] : [];
    });
  }

  /** Paths of the files with a hit, by a glob. */
  searchFiles(pattern: string, glob: string): void {
    this.#rg('-l', pattern, '-g', glob);
  }

  /** Lines of one file. @returns the number of the first one */
  searchIn(path: string, pattern: string): number {
    return Number.parseInt(this.#rg('-n', pattern, path), 10);
  }

  #rg(...args: string[]): string {
    const { stdout, status } = spawnSync(this.#ripgrep, args, {
      cwd: this.#folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const command = ['rg', ...args.map(quoted)].join(' ');
    if (status !== 0 && status !== 1) throw new Error(`${command} failed`);
    this.#count('Bash', { command }, stdout);
    return stdout;
  }

  /** Reads lines, each with its number. @param first 1-based, as `last` */
  read(path: string, first: number, last: number): void {
    const lines = this.#linesOf(path).slice(first - 1, last);
    const text = lines.map((line, index) => `${first + index}\t${line}`).join('\n');
    this.#count('Read', { file_path: path, offset: first, limit: lines.length }, text);
  }

  /**
   * Reads a declaration from its comment, if it has one.
   *
   * @param from a line of it, 1-based
   * @param ends of lines, one after another; it ends with the last one
   */
  readDeclaration(path: string, from: number, ...ends: RegExp[]): void {
    const lines = this.#linesOf(path);
    let first = from;
    while (/^\s*(\/?\*|\/\/)/.test(lines[first - 2] ?? '')) first--;
    const last = ends.reduce(
      (at, end) => lines.findIndex((line, index) => index >= at && end.test(line)),
      from,
    );
    this.read(path, first, last + 1);
  }

  /** Reads from the heads of the functions with a name that these lines are in, to the last of the lines in each. */
  readHeads(hits: readonly Line[]): void {
    const last = new Map<string, { path: string; head: number; line: number }>();
    for (const { path, line } of hits) {
      const head = headOf(this.#linesOf(path), line);
      if (head !== undefined) last.set(`${path}:${head}`, { path, head, line });
    }
    for (const { path, head, line } of last.values()) this.read(path, head, line);
  }

  /** @param isEach whether to replace all that are in the file; the text is there only once otherwise */
  edit(path: string, oldText: string, newText: string, isEach = false): void {
    const at = join(this.#folder, path);
    const text = readFileSync(at, 'utf8');
    writeFileSync(
      at,
      text.replaceAll(oldText, () => newText),
    );
    const asked = { file_path: path, old_string: oldText, new_string: newText };
    this.#count(
      'Edit',
      isEach ? { ...asked, replace_all: true } : asked,
      `The file ${path} has been updated.`,
    );
  }

  #linesOf = (path: string): string[] => readFileSync(join(this.#folder, path), 'utf8').split('\n');

  #count(name: string, args: object, output: string): void {
    this.#tallies.push(tallyOf({ name, arguments: args }, output));
  }
}

const quoted = (arg: string): string => (/^[\w./-]+$/.test(arg) ? arg : `'${arg}'`);

const indentOf = (line: string): number => line.search(/\S/);
const NAMED = /\bfunction [\w$]+|(const|let) [\w$]+ = (async )?(function|\()/;

/** The first line of the innermost function with a name around a line, both 1-based. */
function headOf(lines: readonly string[], line: number): number | undefined {
  let indent = indentOf(lines[line - 1] ?? '');
  for (let at = line - 1; at > 0; at--) {
    const text = lines[at - 1] ?? '';
    const own = indentOf(text);
    if (own < 0 || own >= indent) continue;
    if (NAMED.test(text)) return at;
    // of a head of several lines, this is the last
    indent = text.trimStart().startsWith(')') ? own + 1 : own;
  }
  return undefined;
}
