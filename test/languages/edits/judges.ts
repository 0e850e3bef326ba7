import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** The syntax errors of each of several texts, by the language's own parser. */
export type Judge = (texts: readonly string[], of: string) => string[][];

/** Files in a temporary folder, which a program checks. @param check returns what it printed */
function withFiles(
  texts: readonly string[],
  extension: string,
  check: (folder: string, paths: string[]) => string,
): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'edits-'));
  try {
    const paths = texts.map((_, index) => join(folder, `t${index}${extension}`));
    mkdirSync(folder, { recursive: true });
    for (const [index, path] of paths.entries()) writeFileSync(path, texts[index] ?? '');
    const lines = check(folder, paths).split('\n');
    return paths.map((path) => lines.filter((line) => line.includes(`${basename(path)}:`)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function run(command: string, args: readonly string[], input?: string): string {
  const { stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    ...(input !== undefined && { input }),
  });
  if (error) throw error;
  return stdout + stderr;
}

const PYTHON = `
import ast, re, sys

def misplaced(node, scope=''):
    for field in ('body', 'orelse', 'finalbody', 'handlers'):
        body = getattr(node, field, [])
        for index, one in enumerate(body if isinstance(body, list) else []):
            name = getattr(one, 'name', None) or ''
            if isinstance(one, ast.Assign):
                name = getattr(one.targets[0], 'id', '')
            probe = re.match(r'probe_\\d+_(first|last|beside)_in_(.*)', name)
            doc = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
            right = {'first': index == (1 if doc else 0), 'last': index == len(body) - 1, 'beside': True}
            if probe and not (right[probe[1]] and probe[2] == scope):
                yield one.lineno, f'{name} is number {index} in {scope}'
            is_scope = isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            yield from misplaced(one, one.name if is_scope else scope)

for path in sys.stdin.read().split('\\n'):
    try:
        for line, why in misplaced(ast.parse(open(path, newline='').read())):
            print(f'{path}:{line}: {why}')
    except SyntaxError as error:
        print(f'{path}:{error.lineno}: {error.msg}')
`;

export const python: Judge = (texts) =>
  withFiles(texts, '.py', (_, paths) => run('python3', ['-W', 'ignore', '-c', PYTHON], paths.join('\n')));

export const go: Judge = (texts) => withFiles(texts, '.go', (folder) => run('gofmt', ['-e', '-l', folder]));

const PHP = `
foreach (explode("\\n", stream_get_contents(STDIN)) as $path) {
  try { token_get_all(file_get_contents($path), TOKEN_PARSE); }
  catch (ParseError $e) { echo $path, ':', $e->getLine(), ': ', $e->getMessage(), "\\n"; }
}`;

export const php: Judge = (texts) =>
  withFiles(texts, '.php', (_, paths) => run('php', ['-d', 'memory_limit=-1', '-r', PHP], paths.join('\n')));

export const bash: Judge = (texts) =>
  withFiles(texts, '.sh', (folder) =>
    run('bash', ['-c', `for one in ${folder}/*; do bash -n $one 2>&1 | sed 's/: line /:/'; done`]),
  );

/** Errors of meaning, as of a name that is deleted, do not count. */
export const clang =
  (program: string, flags: (path: string) => readonly string[], extension: string): Judge =>
  (texts, of) =>
    withFiles(texts, extension, (_, paths) =>
      paths
        .flatMap((path) => run(program, [...CLANG, ...flags(of), path]).split('\n'))
        .filter((line) => /error: .*\[(Parse Issue|Lexical or Preprocessor Issue)\]/.test(line))
        .join('\n'),
    );

const CLANG =
  '-fsyntax-only -ferror-limit=0 -fdiagnostics-show-category=name -w -fno-caret-diagnostics'.split(' ');
