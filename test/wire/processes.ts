import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTemporary, removeTemporary } from '../temporary.ts';
import { RawAgent } from './rawAgent.ts';
import { SHIM } from './shimSupport.ts';
import { plant, type Tree } from './testWindow.ts';

const program = fileURLToPath(new URL('windowProcess.ts', import.meta.url));

/** A window that can be killed and frozen. */
export class WindowProcess {
  readonly #child: ChildProcess;
  readonly #ready: Promise<unknown>;

  constructor(args: readonly string[]) {
    this.#child = fork(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#ready = once(this.#child, 'message');
  }

  async open(): Promise<void> {
    await this.#ready;
    const opened = once(this.#child, 'message');
    this.#child.send('open');
    await opened;
  }

  /** As an extension host that crashes. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child.kill('SIGCONT');
  }

  async ended(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
  }
}

/** A machine whose windows are processes. What was killed leaves its socket behind: so nothing is asserted at the end. */
export class MachineOfProcesses {
  readonly root = makeTemporary();
  readonly #windows: WindowProcess[] = [];
  readonly #agents: RawAgent[] = [];

  constructor() {
    mkdirSync(join(this.root, 'run'));
  }

  path(file: string): string {
    return join(this.root, file);
  }

  plant(folder: string, tree: Tree): void {
    plant(this.path(folder), tree);
  }

  /** Loads a window, and does not open it yet. @param servers the setting `workspaceMcp.servers` */
  load(id: string, folder: string, servers?: Record<string, object>): WindowProcess {
    const window = new WindowProcess([this.root, id, folder, ...(servers ? [JSON.stringify(servers)] : [])]);
    this.#windows.push(window);
    return window;
  }

  async open(id: string, folder: string, servers?: Record<string, object>): Promise<WindowProcess> {
    const window = this.load(id, folder, servers);
    await window.open();
    return window;
  }

  agent(folder: string, env: Record<string, string> = {}): RawAgent {
    const agent = agentOf(this.root, this.path(folder), env);
    this.#agents.push(agent);
    return agent;
  }

  async dispose(): Promise<void> {
    for (const window of this.#windows) window.kill();
    await Promise.all([
      ...this.#windows.map((window) => window.ended()),
      ...this.#agents.map((agent) => agent.end()),
    ]);
    removeTemporary(this.root);
  }
}

/** An agent that needs no window to be started. */
export const agentOf = (root: string, cwd: string, env: Record<string, string> = {}): RawAgent =>
  new RawAgent(SHIM, {
    cwd,
    env: {
      ...process.env,
      WORKSPACE_MCP_WINDOW: '',
      WORKSPACE_MCP_HOME: join(root, 'state'),
      XDG_RUNTIME_DIR: join(root, 'run'),
      ...env,
    },
  });
