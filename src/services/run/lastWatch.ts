import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Reads `+ pid`, `+ -group` and `- pid`; kills on `! pid` what it has, on `x -group` a second later, and all that is left when its
 * stdin ends. A shell gives each job a group of its own, so of a group its session too. That is in /proc, on Linux only.
 */
const SCRIPT = `left=
state() { read -r line <"/proc/$1/stat" && echo "\${line##*) }"; } 2>/dev/null
parent() { set -- "$1" $(state "$1"); [ $# -gt 1 ] && echo "$3" || ps -o ppid= -p "$1" | tr -d ' '; }
started_here() {
  one=$1
  while [ "\${one:-1}" -gt 1 ] && [ "$one" != "$PPID" ]; do one=$(parent "$one"); done
  [ "$1" != "$PPID" ] && [ "$one" = "$PPID" ]
}
end() {
  kill -9 "$1"
  case $1 in -*) for path in /proc/[0-9]*; do
    set -- "$1" $(state "\${path#/proc/}")
    [ "-$5" != "$1" ] || kill -9 "\${path#/proc/}"
  done ;; esac
} 2>/dev/null
drop() { kept=; for one in $left; do [ "$one" = "$1" ] || kept="$kept $one"; done; left=$kept; }
while read -r sign pid; do
  case $sign$pid in
    +-*) left="$left $pid" ;;
    +*) if started_here "$pid"; then left="$left $pid"; fi ;;
    !*) case " $left " in *" $pid "*) end "$pid" ;; esac ;;
    x*) (sleep 1; end "$pid") & drop "$pid" ;;
    *) drop "$pid" ;;
  esac
done
for one in $left; do end "$one"; done`;

/**
 * Ends processes and their groups with the extension host, however that ends: a shell that waits for the end of its stdin. Not on
 * Windows, where the console of a run ends with it.
 */
export class LastWatch {
  #shell: ChildProcess | undefined;

  /** @param pid that others have told: only of a process that this extension host or one of its processes has started */
  readonly add = (pid: number): void => this.#say(`+ ${pid}`);
  readonly remove = (pid: number): void => this.#say(`- ${pid}`);
  /** Only what was added. */
  readonly kill = (pid: number): void => this.#say(`! ${pid}`);
  readonly addGroup = (pid: number): void => this.#say(`+ -${pid}`);
  readonly removeGroup = (pid: number): void => this.#say(`- -${pid}`);
  /** Kills a group in a second, if it is still there. */
  readonly endGroup = (pid: number): void => this.#say(`x -${pid}`);

  dispose(): void {
    this.#shell?.stdin?.end();
    this.#shell = undefined;
  }

  #say(line: string): void {
    if (process.platform === 'win32') return;
    if (!this.#shell) {
      this.#shell = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
      this.#shell.on('error', () => {}); // without it a run may be left behind if the extension host is killed
      this.#shell.stdin?.on('error', () => {});
      this.#shell.unref();
    }
    this.#shell.stdin?.write(`${line}\n`);
  }
}
