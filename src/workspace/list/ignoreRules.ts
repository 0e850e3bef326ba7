import { Minimatch } from 'minimatch';

/** Files that say what is ignored where they lie and below, the strongest first, as ripgrep takes them. */
export const IGNORE_FILES: readonly string[] = ['.rgignore', '.ignore', '.gitignore'];

/** Rules in one file: more than people write, and every file of the folder is held against each. */
const MOST_RULES = 10_000;

interface Rule {
  isNegated: boolean;
  isForFolders: boolean;
  matches(path: string, name: string): boolean;
}

/** The rules of one ignore file, the last first: that one wins. */
interface Source {
  /** Index of the file's name. */
  kind: number;
  /** Path of the directory that it lies in, with a slash, or `''`. */
  directory: string;
  rules: readonly Rule[];
}

/** What ignore files say of what lies directly in a directory: its own, and those of the directories above. */
export class IgnoreRules {
  static readonly NONE = new IgnoreRules([]);
  /** The strongest first. */
  readonly #sources: readonly Source[];

  private constructor(sources: readonly Source[]) {
    this.#sources = sources;
  }

  /**
   * Those of a directory below.
   *
   * @param directory path of it, with a slash, or `''`
   * @param texts of its ignore files, by their names
   */
  within(directory: string, texts: ReadonlyMap<string, string>): IgnoreRules {
    const own = [...texts].map(([name, text]) => ({
      kind: IGNORE_FILES.indexOf(name),
      directory,
      rules: rulesOf(text),
    }));
    // Sorting keeps the order of those of one kind: the nearest come first.
    return own.length === 0
      ? this
      : new IgnoreRules([...own, ...this.#sources].sort((a, b) => a.kind - b.kind));
  }

  /** @param path of what lies in the directory: what lies in an ignored one is not to be asked for */
  ignores(path: string, isFolder: boolean): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (const { directory, rules } of this.#sources) {
      const inside = path.slice(directory.length);
      const rule = rules.find((one) => (isFolder || !one.isForFolders) && one.matches(inside, name));
      if (rule) return !rule.isNegated;
    }
    return false;
  }
}

function rulesOf(text: string): Rule[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length > MOST_RULES) return [];
  return lines.flatMap((line) => ruleOf(line.replace(/\r$/, '')) ?? []).reverse();
}

/** Undefined for a line that fits nothing. */
function ruleOf(line: string): Rule | undefined {
  const isNegated = line.startsWith('!');
  const trimmed = withoutSpaces(isNegated ? line.slice(1) : line);
  const isForFolders = trimmed.endsWith('/');
  const pattern = isForFolders ? trimmed.slice(0, -1) : trimmed;
  const matches = matcherOf(pattern);
  return matches && { isNegated, isForFolders, matches };
}

/** Without the spaces at the end, but with one behind a backslash. */
function withoutSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end--;
  const backslashes = end - line.slice(0, end).search(/\\*$/);
  return line.slice(0, end + (backslashes % 2));
}

/** What stands for itself: escaped characters and complete classes. */
const ESCAPED = /\\.|\[[!^]?(?:\\.|[^\\])(?:\\.|\[:\w+:\]|[^\]\\])*\]/g;

/** A pattern with a slash is of the path in the directory of the ignore file, any other of a name at any depth. */
function matcherOf(pattern: string): Rule['matches'] | undefined {
  const isOfPath = pattern.includes('/');
  const glob = pattern.replace(/^\//, '').replace(/(^|\/)\*{3,}(?=\/|$)/g, '$1**');
  // No path has such a part, and Git gives up on what is open at the end.
  if (/(^|\/)\.{0,2}(\/|$)/.test(glob) || /[[\\]/.test(glob.replace(ESCAPED, ''))) return undefined;
  if (!/[*?[\\]/.test(glob)) return isOfPath ? (path) => path === glob : (_, name) => name === glob;
  const compiled = new Minimatch(glob, {
    dot: true,
    nobrace: true,
    nocomment: true,
    noext: true,
    nonegate: true,
    platform: 'linux', // a backslash escapes on Windows too
  });
  return isOfPath ? (path) => compiled.match(path) : (_, name) => compiled.match(name);
}
