/**
 * A window without an editor: the real server, the bundle that users get, a fake of VS Code over real files, and agents
 * that start the real shim. What a test opens is closed after it, and nothing may be left.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Features } from '../../src/features/features.ts';
import type { GrantStore } from '../../src/server/sessionGrants.ts';
import type { FakeOptions } from '../fakes/vscode.ts';
import { makeTemporary, removeTemporary } from '../temporary.ts';
import { agentOf } from './processes.ts';
import type { RawAgent } from './rawAgent.ts';
import { plant, TestWindow, type Tree } from './testWindow.ts';

export { until } from '../until.ts';
export type { TestWindow, Tree } from './testWindow.ts';

export interface WindowOptions extends Partial<FakeOptions> {
  /** What sessions were allowed in the window that this one is after a reload: its `consent.kept`. */
  kept?: GrantStore;
  /** The file in which its edits are stored. */
  edits?: string;
  /** What is served instead of the product's own features. */
  features?: Features;
  /** The setting `workspaceMcp.servers`. */
  servers?: Record<string, object>;
  /** What is measured instead of the bundle: its source. */
  bundle?: object;
  /** One folder for each, named so; `ws` alone by default. */
  trees?: Record<string, Tree>;
}

/** A person's machine: a state directory, a runtime directory, windows and agents. */
export class Machine {
  readonly root = makeTemporary();
  readonly home = join(this.root, 'state');
  readonly runtime = join(this.root, 'run');
  readonly #windows: TestWindow[] = [];
  readonly #agents: RawAgent[] = [];

  constructor() {
    mkdirSync(this.runtime);
  }

  async open({ trees = { ws: {} }, ...options }: WindowOptions = {}): Promise<TestWindow> {
    const folders = Object.entries(trees).map(([name, tree]) => plant(join(this.root, name), tree));
    const window = new TestWindow(this, { folders, ...options }, `window${this.#windows.length + 1}`);
    this.#windows.push(window);
    await window.edits.restore();
    await window.server.start();
    assert.equal(window.server.state, 'running', window.server.error?.message);
    return window;
  }

  /** An agent that is of no window. @param directory its own, below the root */
  agent(directory: string, env: Record<string, string> = {}): RawAgent {
    const cwd = join(this.root, directory);
    mkdirSync(cwd, { recursive: true });
    const agent = agentOf(this.root, cwd, env);
    this.#agents.push(agent);
    return agent;
  }

  /** Closes everything, and fails where something stays behind. */
  async dispose(): Promise<void> {
    try {
      for (const agent of this.#agents) await agent.end();
      for (const window of this.#windows) await window.dispose();
      // the pipes of Windows are in no directory
      const sockets = process.platform === 'win32' ? [] : readdirSync(join(this.runtime, 'workspace-mcp'));
      assert.deepEqual(sockets, [], 'sockets are left');
      assert.deepEqual(readdirSync(join(this.home, 'windows')), [], 'records or locks are left');
    } finally {
      removeTemporary(this.root);
    }
  }
}

/** A fresh machine for each test of the suite that calls it. */
export function useMachine(): Pick<Machine, 'open' | 'agent' | 'root'> {
  let machine: Machine;
  beforeEach(() => {
    machine = new Machine();
  });
  afterEach(() => machine.dispose());
  return {
    open: (options) => machine.open(options),
    agent: (directory, env) => machine.agent(directory, env),
    get root() {
      return machine.root;
    },
  };
}
