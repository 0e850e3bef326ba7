/** Command lines that mean their words and nothing else, so that they can be allowed for longer. */

/** What runs its arguments as a program or as code, words of shells among them. */
const WRAPPERS = new Set(
  `alias arch ash awk bash builtin bundle bunx busybox bwrap chroot chrt cmd command compgen coproc corepack cross-env csh dash declare
  direnv do doas docker ed else emacs enable env eval ex exec expect export fakeroot find firejail fish flock for foreach function gawk
  gdb gtimeout hash if ionice ksh let linux lldb local ltrace mapfile mawk mksh nice nocorrect noglob nohup npx nsenter nvim osascript
  parallel pipx pkexec pnpx podman powershell prlimit pwsh rbash read readarray readonly repeat runuser screen script sed select set
  setarch setpriv setsid sh source ssh stdbuf strace su sudo systemd-run taskset tclsh tcsh test then time timeout tmux toybox trap
  typeset unbuffer unset unshare until uvx valgrind vi vim watch watchexec while wsl xargs zsh`.split(/\s+/),
);
/** Before the name of a program file, only these flags: all others may bring code. */
const INTERPRETERS =
  /^(?:node|nodejs|deno|tsx|ts-node|python|pypy|perl|ruby|php|lua|luajit|rscript|julia|git|java)$/;
const HARMLESS_FLAG = /^(?:-m|-u|-B|-v|-V|--test|--version)$/;
/** In whatever program. */
const CODE_FLAG =
  /^--?(?:eval|evaluate|exec|execdir|execute|command|call|print|import|require|loader|preload|ok|okdir|rsh|to-command|checkpoint-action|use-compress-program)(?:=|$)/;
/** Also as files that Node runs, such as `.yarn/releases/yarn-4.9.1.cjs`. */
const PACKAGE_MANAGER =
  /^(?:[ct]?npm|pnpm|pn|yarn|yarnpkg|bun)(?:-cli|[-\d.])*(?:[.]?[cm]?js|[.]exe|[.]cmd)?$/;
const SCRIPT = /^[A-Za-z0-9][\w:.-]*$/;

/** Quotes add nothing to a word but spaces. */
const WORD = /(?:[\w@%+=:,./-]|'[\w@%+=:,./ -]*'|"[\w@%+=:,./ -]*")+/;
const LINE = new RegExp(`^${WORD.source}(?: +${WORD.source})*$`);

export interface LiteralCommand {
  words: readonly string[];
  /** The script of package.json that it runs, with those that run before and after. */
  script?: string;
}

/**
 * One simple command of plain ASCII words: no operator, expansion, pattern, redirection, assignment or comment, not even in quotes;
 * no program that runs its arguments, no flag that brings code. Of package managers only `test`, `start` and `run NAME`. Undefined for
 * any other line, so for some harmless ones too.
 */
export function literalCommand(line: string, platform = process.platform): LiteralCommand | undefined {
  if (platform === 'win32' || line.length > 2_000 || !LINE.test(line)) return undefined; // others have other quotes
  const all = line.match(new RegExp(WORD, 'g')) ?? [];
  if (all.some((word) => word.startsWith('='))) return undefined; // zsh replaces it
  const words = all.map((word) => word.replaceAll(/['"]/g, ''));
  const [program = '', ...args] = words;
  if (!/^[\w./]/.test(program) || program.includes('=')) return undefined;
  if (words.some((word) => PACKAGE_MANAGER.test(fileOf(word)))) return runningScript(words);
  const name = fileOf(program).replace(/(?:\.exe)?[-\d.]*$/, ''); // without its version
  if (name === '' || WRAPPERS.has(name) || args.some((word) => CODE_FLAG.test(word))) return undefined;
  if (INTERPRETERS.test(name) && !isHarmless(args)) return undefined;
  return { words };
}

/** Disks may ignore case. */
const fileOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1).toLowerCase();

/** `bun test` runs no script, and bun reads package.json in a way of its own. */
function runningScript(words: readonly string[]): LiteralCommand | undefined {
  const [program = '', verb = '', name, ...more] = words;
  if (!/^(?:npm|pnpm|yarn)$/.test(program) || more.length > 0) return undefined;
  const script =
    verb === 'run' ? name : name === undefined && /^(?:test|start)$/.test(verb) ? verb : undefined;
  return script !== undefined && SCRIPT.test(script) ? { words, script } : undefined;
}

function isHarmless(args: readonly string[]): boolean {
  const first = args.find((word) => !HARMLESS_FLAG.test(word));
  return first === undefined || (!first.startsWith('-') && first !== '' && first !== 'eval');
}
