/** What the tools' answers are compared with: a language's compiler or checker, and the text of the files. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectNode, projectRoot } from '../paths.ts';
import { pyrightScript } from './servers.ts';

/** The 1-based lines of a file in which its compiler finds errors, each once. @param path in the project */
export async function compilerLines(language: string, project: string, path: string): Promise<number[]> {
  const [program, ...args] = await commandFor(language, path);
  const { stdout, stderr, error } = spawnSync(program, args, { cwd: project, encoding: 'utf8' });
  if (error) throw error;
  const output = `${stdout}${stderr}`
    .split('\n')
    .filter((line) => !OF_A_FILE.test(line) || line.startsWith(path));
  const lines = output.flatMap((line) => LINE.exec(line)?.slice(1) ?? []);
  return [...new Set(lines.flatMap((text) => (text ? [Number(text)] : [])))].sort((a, b) => a - b);
}

/** TypeScript checks all files at once. */
const OF_A_FILE = /^[^\s(]+\(\d+,/;

/** `file(line,column): error`, `file:line:column: error`, `file:line:column: text` of Go, `on line 9` of PHP and `line 7:` of a shell. */
const LINE =
  /^[^\s(]+\((\d+),\d+\): error|^[^\s:]+:(\d+):\d+: (?!note|warning)|^ {2}.*?:(\d+):\d+ - error|\bline (\d+)\b/;

async function commandFor(language: string, path: string): Promise<[program: string, ...args: string[]]> {
  switch (language) {
    case 'typescript':
      return [
        projectNode(),
        join(projectRoot, 'node_modules/typescript/bin/tsc'),
        '--noEmit',
        '--pretty',
        'false',
      ];
    case 'python':
      return [projectNode(), await pyrightScript(), path];
    case 'cpp':
      return path.endsWith('.c')
        ? ['gcc', '-fsyntax-only', path]
        : ['g++', '-std=c++17', '-fsyntax-only', '-Iinclude', path];
    case 'go':
      return ['go', 'build', '-o', '/dev/null', `./${dirname(path)}`];
    case 'php':
      return ['php', '-r', LOADING, path];
    default:
      return ['bash', '-n', path];
  }
}

/** Only running finds what PHP does not know. */
const LOADING = `spl_autoload_register(function ($name) {
    $files = 'src/{,*/}' . basename(strtr($name, '\\\\', '/')) . '.php';
    foreach (glob($files, GLOB_BRACE) as $file) include $file;
  });
  require $argv[1];`;

const COMMENT = /^\s*(\/\/|\/?\*|#(?!define))/;
const SOURCES = '**/*.{ts,py,c,h,cpp,hpp,go,php,sh}';

/** Where the code of a project has a word, as `path:line`, sorted; comments on lines of their own are left out. */
export function linesWith(
  word: string,
  project: string,
  files: readonly string[] = globSync(SOURCES, { cwd: project }),
): string[] {
  const pattern = new RegExp(`(?<![\\w$])${word}(?!\\w)`);
  const lines = files.flatMap((path) =>
    readFileSync(join(project, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) && !COMMENT.test(line) ? [`${path}:${index + 1}`] : [])),
  );
  return lines.sort();
}

/** The lines of an answer, a path and then `line: text`, the same way. */
export function linesIn(answer: string): string[] {
  let path = '';
  const lines = answer.split('\n').flatMap((line) => {
    const [, inTests, numbers = ''] = /^(\S+\.\w+): (\d+(?:, \d+)*)$/.exec(line) ?? [];
    if (inTests) return numbers.split(', ').map((number) => `${inTests}:${number}`);
    const [, number] = /^(\d+): /.exec(line) ?? [];
    if (/^\S*[/.]\S+$/.test(line)) path = line;
    return number ? [`${path}:${number}`] : [];
  });
  return lines.sort();
}
