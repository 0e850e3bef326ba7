import type * as vscode from 'vscode';
import { fieldsOf } from '../../core/json.ts';
import { clock } from '../../util/clock.ts';
import { outputFile } from '../../util/outputFile.ts';

/** Milliseconds in which VS Code starts a terminal; without a browser or a connection it does not. */
const STARTING = 3_000;
/** Milliseconds in which an environment is taken to be the same: extensions tell nobody that they have changed it. */
const FRESH = 10_000;

/** Nobody presses keys: editors and pagers do not open, and installers ask nothing. */
export const UNATTENDED = {
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  EDITOR: 'true',
  VISUAL: 'true',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  GIT_MERGE_AUTOEDIT: 'no',
  DEBIAN_FRONTEND: 'noninteractive',
};

/** Set by the shell that tells the environment, or for VS Code's part in the user's shell. */
const OF_SHELL = ['_', 'PWD', 'OLDPWD', 'SHLVL', 'VSCODE_NONCE'];

/** What programs in the user's own terminals get: VS Code makes it of its own environment, settings, and what extensions add. */
export class TerminalEnvironment {
  readonly #code: typeof vscode;
  #known: { key: string; at: number; env: Promise<NodeJS.ProcessEnv | undefined> } | undefined;

  constructor(code: typeof vscode) {
    this.#code = code;
  }

  /** That of VS Code itself, if it starts no terminal. @param cwd absolute: settings and extensions may differ by folder */
  async in(cwd: string): Promise<NodeJS.ProcessEnv> {
    const key = JSON.stringify([cwd, settingsOf(this.#code)]);
    if (this.#known?.key !== key || clock.now() - this.#known.at > FRESH)
      this.#known = { key, at: clock.now(), env: fromTerminal(this.#code, cwd).catch(() => undefined) };
    return { ...((await this.#known.env) ?? ownEnvironment()), ...UNATTENDED };
  }
}

/** VS Code tells no extension what the others have added. So a hidden terminal starts, and a shell in it tells what it has got. */
async function fromTerminal(code: typeof vscode, cwd: string): Promise<NodeJS.ProcessEnv | undefined> {
  if (process.platform === 'win32') return undefined;
  const written = await outputFile(STARTING, (file) =>
    code.window.createTerminal({
      name: 'Workspace MCP',
      hideFromUser: true,
      isTransient: true,
      cwd,
      env: settingsOf(code).profile,
      shellPath: '/bin/sh',
      shellArgs: ['-c', 'env -0 >"$0.part" && mv "$0.part" "$0"', file],
    }),
  );
  return written === undefined ? undefined : environmentOf(written);
}

function environmentOf(written: string): NodeJS.ProcessEnv {
  const entries = written.split('\0').flatMap((one) => {
    const at = one.indexOf('=');
    return at > 0 ? [[one.slice(0, at), one.slice(at + 1)] as const] : [];
  });
  return Object.fromEntries(entries.filter(([name]) => !OF_SHELL.includes(name)));
}

/** What settings add: to all terminals, which VS Code does, and by the user's default profile. */
function settingsOf({ workspace }: typeof vscode): { all: unknown; profile: Record<string, string | null> } {
  const settings = workspace.getConfiguration('terminal.integrated');
  const system = process.platform === 'darwin' ? 'osx' : 'linux';
  const name = settings.get<string | null>(`defaultProfile.${system}`);
  const { env } = fieldsOf(fieldsOf(settings.get(`profiles.${system}`))[name ?? '']);
  const all = [settings.get(`env.${system}`), settings.get('detectLocale')];
  return { all, profile: fieldsOf(env) as Record<string, string | null> };
}

/** The environment of VS Code without its own variables. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const own = /^(?:VSCODE_|ELECTRON_|CODE_SERVER_|APPLICATION_INSIGHTS_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}
