/** The errors of a code base as the server's own command line tells them, by path: 1-based lines. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { projectNode } from '../../paths.ts';
import { pyrightScript } from '../servers.ts';

type Command = readonly [program: string, ...args: string[]];

/** Most command lines take one file. */
export async function errorsOf(
  language: string,
  directory: string,
  files: readonly string[],
): Promise<Map<string, number[]>> {
  const errors = new Map<string, Set<number>>();
  for (const [program, ...args] of await commands(language, files)) {
    const output = await promisify(execFile)(program, args, { cwd: directory, maxBuffer: 1e8 }).catch(
      (error) => error,
    );
    for (const line of `${output.stdout}${output.stderr}`.split('\n')) {
      const [, path = '', number] = LINE.exec(line) ?? PHP.exec(line) ?? [];
      const file = files.find((one) => path.endsWith(one));
      if (file) errors.set(file, (errors.get(file) ?? new Set()).add(Number(number)));
    }
  }
  return new Map([...errors].map(([path, lines]) => [path, [...lines].sort((a, b) => a - b)]));
}

/** `path:line:column: error`, `path:line:column - error` of Pyright, `vet: path:line:column: text` of Go. */
const LINE =
  /^(?: {2}|vet: )?(\S+?):(\d+):\d+(?:: (?:fatal )?error|(?= - error)|(?=: (?!warning|note)[a-z]))/;
const PHP = /^(?:PHP )?Parse error: .* in (\S+) on line (\d+)/;

async function commands(language: string, files: readonly string[]): Promise<Command[]> {
  const each = (...command: Command): Command[] => files.map((file) => [...command, file]);
  switch (language) {
    case 'python':
      return [[projectNode(), await pyrightScript()]];
    case 'cpp':
      return each('gcc', '-std=gnu99', '-fsyntax-only');
    case 'go':
      return [['go', 'vet', './...']];
    case 'php':
      return each('php', '-l');
    default:
      return each('shellcheck', '-f', 'gcc', '-S', 'error');
  }
}
