/** Programs that a command line may start so that it can be allowed for longer: they run what files of the workspace say, and nothing else. */

const namesIn = (text: string): string[] => text.trim().split(/\s+/);

/** No flag makes them run anything. */
const UTILITIES = new Set(
  namesIn(`basename cat cksum cmp comm cut date df diff dirname du echo egrep false fgrep grep head jq ls md5sum mkdir nl paste printf pwd
    readlink realpath rev rg rm rmdir sha1sum sha256sum shasum sleep stat tac tail touch tr tree true uname uniq wc which whoami`),
);

const INTERPRETERS = new Set(
  namesIn('julia lua luajit node nodejs perl php pypy python ruby Rscript ts-node tsx'),
);
/** Before a file. */
const HARMLESS_FLAG = /^(?:-u|--test)$/;
/** Files that run scripts of package.json, to which the approval is not bound. */
const MANAGER = /^(?:[ct]?npm|pnpm|yarn|yarnpkg|bun|corepack|turbo|nx|lerna)(?![a-z])/i;

interface Tool {
  /** One of them comes first. */
  verbs?: readonly string[];
  /** Words that bring code or name a program. Short flags can be joined. */
  refused?: RegExp | undefined;
}

const tools = (names: string, verbs?: string, refused?: RegExp): [string, Tool][] =>
  namesIn(names).map((name) => [name, { ...(verbs && { verbs: namesIn(`--version ${verbs}`) }), refused }]);

/** Refused flags of tools whose flags can name programs: all but words alone, and how much they print. */
const FLAGS = /^-(?!(?:q|v|-quiet|-verbose)$)|[:=]/;

const TOOLS = new Map([
  ...tools(
    `biome black eslint flake8 isort jest oxlint prettier pylint ruff rustfmt stylelint svelte-check tsc vite vue-tsc`,
  ),
  ...tools('unittest'), // of python -m
  ...tools('pytest', undefined, /^-(?!-)\w*[cdop]|^--(?:config|override|pdbcls|tx|dist)/),
  ...tools('mypy pyright', undefined, /^--python-?[ep]/),
  ...tools('mocha vitest', undefined, /^-(?!-)\w*[nr]|^--node-|^--type|^init$/),
  ...tools('rspec', undefined, /^-(?!-)\w*[dr]/),
  ...tools('playwright', 'test'),
  ...tools('cargo', 'bench build check clippy doc fmt metadata run test tree', /^--config|^-(?!-)\w*Z/),
  ...tools('go', 'build fmt list run test vet', /@|-ext(?:ar|ld)|^--?(?:vettool|compiler|gccgo)/),
  ...tools('make gmake just rake', undefined, /^-(?!(?:[BCfklns]|j\d*|-list|-silent|-no-print-directory)$)/),
  ...tools('gradle mvn', undefined, FLAGS),
  ...tools('dotnet', 'build clean format restore test', FLAGS),
  ...tools('swift', 'build test', FLAGS),
  ...tools('mix', 'compile credo format test', FLAGS),
  ...tools('dart flutter', 'analyze build format test', FLAGS),
  ...tools(
    'git',
    'add blame branch commit describe diff grep log ls-files reflog rev-parse shortlog show stash status switch tag',
    /^--(?:ext|op|ou)|^-(?!-)\w*O/,
  ),
]);

/** Flags that bring code or name a program, whatever program has them. */
const CODE_FLAG =
  /^--?(?:[\w.-]*exec|eval|init|ins|req|[\w-]*loader|[\w-]*wrap|run[-_]under|(?:upload|receive)-pack|(?:call|command|ext-diff|hostname-bin|import|pre|preload|print)(?:=|$))/i;
/** What is no file of the workspace: variables, code from the input, arguments from a file, other folders. */
const ELSEWHERE =
  /(?:^|[=,])data:|^[^-].*=|(?:^|=|^-\w)-$|^@|(?:^|[=:,]|^-\w+)(?:\/|\.\.(?:\/|$))|\/\.\.(?:\/|$)/;

/** Whether a command runs no other program, and no code that its words bring. @param args without quotes */
export function canLast(program: string, args: readonly string[]): boolean {
  const name = nameOf(program);
  if (args.some((word) => CODE_FLAG.test(word))) return false;
  if (UTILITIES.has(name)) return true;
  return INTERPRETERS.has(name) ? runsFile(args) : runsTool(name, args);
}

/** Without its version. Programs of paths are only those that a project brings. */
const nameOf = (program: string): string =>
  program
    .replace(/^\.\/(gradle|mvn)w$|^(?:\.\/)?(?:node_modules\/\.bin|\.?venv\/bin)\/([^/]+)$/, '$1$2')
    .replace(/^(lua|php|python|pypy|ruby)-?\d[\d.]*$/, '$1');

/** Without a file, an interpreter reads code from the terminal. */
function runsFile(args: readonly string[]): boolean {
  const start = args.findIndex((word) => !HARMLESS_FLAG.test(word));
  if (start === -1) return args.includes('--test');
  const [file = '', ...more] = args.slice(start);
  if (file === '-m') return runsTool(more[0] ?? '', more.slice(1));
  if (file === '--version') return more.length === 0;
  const name = file.replace(/^.*\/|\.[cm]?js$/g, '');
  if (/^-|^$/.test(file) || ELSEWHERE.test(file) || MANAGER.test(name)) return false;
  if (/(?:^|\/)node_modules\//i.test(file)) return runsTool(name, more);
  return start > 0 || /[./]|^artisan$/.test(file); // others may be subcommands
}

function runsTool(name: string, args: readonly string[]): boolean {
  const tool = TOOLS.get(name);
  if (name === 'git' && args[0] === '--no-pager') return runsTool(name, args.slice(1));
  const [first = ''] = args;
  if (!tool || args.some((word) => ELSEWHERE.test(word) || tool.refused?.test(word))) return false;
  return tool.verbs?.includes(first) ?? true;
}
