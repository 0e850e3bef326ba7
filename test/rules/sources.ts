import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Files that are under version control or will be, relative to the repository. */
export const tracked = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => path && existsSync(join(root, path)))
    .sort();

export interface Import {
  /** Of a module of ours relative to the repository, else as it is written. */
  from: string;
  /** Gone when the program runs. */
  isType: boolean;
}

const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const EXPRESSION = /\b(typeof\s+)?(?:import|require)\('([^']+)'\)(\.[A-Z])?/g;

/** What a module imports, by statements and by calls; `import('vscode').Uri` is a type. */
export function importsOf(path: string): Import[] {
  const source = read(path);
  const statements = [...source.matchAll(STATEMENT)].map(([, type, from]) =>
    imported(path, from, Boolean(type)),
  );
  const expressions = [...source.matchAll(EXPRESSION)].map(([, typeOf, from, member]) =>
    imported(path, from, Boolean(typeOf ?? member)),
  );
  return [...statements, ...expressions];
}

function imported(path: string, from = '', isType: boolean): Import {
  return { from: from.startsWith('.') ? posix.join(posix.dirname(path), from) : from, isType };
}
