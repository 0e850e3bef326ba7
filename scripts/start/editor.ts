/** Opens the folder in a real VS Code: a desktop one where there is one, else the headless one. */
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { own } from '../../test/host/cleanup.ts';
import { startHost } from '../../test/host/headless/host.ts';
import { projectRoot } from '../../test/host/paths.ts';
import { isRunning } from '../../test/host/processes.ts';
import { findProgram } from '../../test/host/programs.ts';

export interface Editor {
  name: string;
  /** Resolves when the editor ends by itself. */
  ended: Promise<void>;
  close(): Promise<void>;
}

export interface EditorOptions {
  folder: string;
  /** For the settings and extensions of this VS Code, which are not the user's. */
  profile: string;
  env: Record<string, string>;
  report(line: string): void;
}

export async function openEditor(options: EditorOptions): Promise<Editor> {
  const executable = desktopExecutable();
  return executable ? openDesktop(executable, options) : openHeadless(options);
}

function desktopExecutable(): string | undefined {
  const named = process.env.VSCODE_EXECUTABLE;
  if (named) {
    if (!statSync(named, { throwIfNoEntry: false })?.isFile()) {
      throw new Error(`VSCODE_EXECUTABLE names "${named}", but there is no such file.`);
    }
    return named;
  }
  const hasScreen = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  const code = hasScreen ? findProgram(process.platform === 'win32' ? 'code.cmd' : 'code') : undefined;
  // In the terminal of a remote window `code` only talks to the editor at the other end.
  return code?.includes('remote-cli') ? undefined : code;
}

async function openHeadless({ folder, env, report }: EditorOptions): Promise<Editor> {
  const host = await startHost({ target: folder, extensionDevelopmentPath: projectRoot, env, report });
  return { name: 'headless', ended: host.testsEnded.then(() => {}), close: host.close };
}

/** `--wait` keeps `code` running as long as its window is open. */
async function openDesktop(executable: string, { folder, profile, env }: EditorOptions): Promise<Editor> {
  const args = [
    ...['--new-window', '--wait', '--disable-workspace-trust', '--skip-welcome', '--skip-release-notes'],
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    `--user-data-dir=${profile}`,
    `--extensions-dir=${join(profile, 'extensions')}`,
    `--extensionDevelopmentPath=${projectRoot}`,
    folder,
  ];
  const shell = process.platform === 'win32' && /\.(cmd|bat)$/i.test(executable);
  const quote = (word: string) => (shell ? `"${word}"` : word);
  const child = spawn(quote(executable), args.map(quote), {
    shell,
    stdio: 'ignore',
    env: { ...process.env, ...env },
  });
  const ended = new Promise<void>((resolve, reject) =>
    child.once('exit', () => resolve()).once('error', reject),
  );
  const pids = () => [mainProcess(profile), child.pid].filter((pid) => pid !== undefined);
  const close = async () => {
    await endProcesses(pids());
    disown();
  };
  const disown = own({ close, kill: () => signal(pids(), 'SIGKILL') });
  return { name: executable, ended, close };
}

/** `code` starts the editor proper apart from itself; that one leaves its id in its profile. */
function mainProcess(profile: string): number | undefined {
  try {
    return Number(readFileSync(join(profile, 'code.lock'), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

/** Asks politely, so that extensions are deactivated, and insists after ten seconds. */
async function endProcesses(pids: number[]): Promise<void> {
  signal(pids, 'SIGTERM');
  const deadline = Date.now() + 10_000;
  while (pids.some(isRunning) && Date.now() < deadline) await delay(100);
  signal(pids, 'SIGKILL');
}

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids.filter(isRunning)) process.kill(pid, name);
}
