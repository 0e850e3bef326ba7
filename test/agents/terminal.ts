/** Programs of agents in a terminal, as the user sees them. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.ts';
import type { TestWindow } from '../wire/testWindow.ts';
import { environment, type Surroundings } from './programs.ts';

/** Milliseconds: programs draw several times a second. */
const QUIET = 1_000;

// `script`, which makes a terminal, takes other arguments elsewhere.
export const onLinux = (title: string, test: () => Promise<void>) =>
  process.platform === 'linux' ? it(title, test) : it.skip(title);

/** Claude Code asks no question about a token. */
export const CLAUDE_ENV = { ANTHROPIC_API_KEY: undefined, ANTHROPIC_AUTH_TOKEN: 'none' };

/** What Claude Code would ask when it first starts is answered. */
export function withoutQuestions({ home }: Surroundings): void {
  const file = join(home, '.claude.json');
  const known = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...known, hasCompletedOnboarding: true }));
}

/** Whether a session of Claude Code or opencode is idle: a hook waits for words of the user. */
export function isIdle({ hooks, journal }: TestWindow): boolean {
  const receivers = hooks.sessions.receivers();
  return (
    receivers.some(({ wakes }) => wakes) &&
    receivers.every(({ author }) => journal.turnOf(author) === undefined)
  );
}

export interface Terminal {
  /** All that the program has printed, without the sequences that place and colour it; what it wrote anew is there twice. */
  readonly text: string;
  /** Resolves when it prints nothing for a while: it has drawn what a key changed, and takes the next one. */
  isQuiet(): Promise<void>;
  /** The user presses keys. */
  types(keys: string): void;
  /** Ends the program as the system does, without a word to it. */
  kills(): void;
  /** The terminal is closed. */
  close(): void;
}

/** @param words the program's path, and its arguments */
export function startInTerminal(words: readonly string[], { home, cwd, env }: Surroundings): Terminal {
  const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const script = spawn('script', ['-qfec', `stty rows 40 cols 120; exec ${line}`, '/dev/null'], {
    cwd,
    env: { ...environment(home), TERM: 'xterm-256color', ...env },
  });
  let printed = '';
  let printedAt = 0;
  script.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    printedAt = performance.now();
    // Codex asks for the place of the cursor, and waits for the answer.
    if (text.includes('\x1b[6n')) script.stdin.write('\x1b[1;1R');
  });
  const kills = () => {
    const children = `/proc/${script.pid}/task/${script.pid}/children`;
    const pids = existsSync(children) ? readFileSync(children, 'utf8').match(/\d+/g) : undefined;
    for (const pid of pids ?? []) process.kill(Number(pid), 'SIGKILL');
  };
  return {
    get text() {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences of terminals
      return printed.replaceAll(/\x1b(?:\[[\d;?>]*[ -/]*[@-~]|\][^\x07]*\x07|.)/g, ' ');
    },
    async isQuiet() {
      const asked = performance.now();
      await until(() => performance.now() > Math.max(asked, printedAt) + QUIET, 'a terminal that is quiet');
    },
    types: (keys) => void script.stdin.write(keys),
    kills,
    close() {
      kills(); // else it goes on for a moment, and writes into a home directory that is removed
      script.kill('SIGKILL');
    },
  };
}
