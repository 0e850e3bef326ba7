/** A command line that the user typed or pasted. Pure. */

export interface TypedCommand {
  env: Record<string, string>;
  command: string;
  args: string[];
}

const WORD = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs;
const PART = /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs;

/** Split as a POSIX shell does, without expansions: `A=1 node 'my server.js'`. Undefined if there is no command. */
export function commandOf(line: string): TypedCommand | undefined {
  const words = (line.match(WORD) ?? []).map(unquoted);
  const env: Record<string, string> = {};
  let index = 0;
  for (; index < words.length; index++) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(words[index] ?? '') ?? [];
    if (name === undefined || value === undefined) break;
    env[name] = value;
  }
  const [command, ...args] = words.slice(index);
  return command === undefined ? undefined : { env, command, args };
}

/** A path of Windows keeps its backslashes: only quotes, spaces and backslashes are escaped by them. */
const unquoted = (word: string): string =>
  word.replace(
    PART,
    (whole, escaped: string | undefined, double: string | undefined, single: string | undefined) => {
      if (escaped !== undefined) return /[\s"'\\]/.test(escaped) ? escaped : whole;
      return single ?? (double ?? '').replace(/\\(["\\])/g, '$1');
    },
  );
