import * as vscode from 'vscode';
import type { HookSessions } from '../features/hooks/hookSessions.ts';
import type { Agent } from '../server/agent.ts';
import type { Sessions } from '../server/sessions.ts';
import type { Debuggee } from '../services/debug/debuggee.ts';
import type { AgentRun } from '../services/run/agentRun.ts';

/** The connected agents, for views and menus. Empty until the first one connects: only then is the code of sessions loaded. */
export class Agents implements vscode.Disposable {
  readonly #comings = new vscode.EventEmitter<void>();
  readonly #calls = new vscode.EventEmitter<void>();
  #sessions: Sessions | undefined;

  /** Fires when an agent connects or disconnects. */
  readonly onDidChange = this.#comings.event;
  /** Fires when calls and runs start or end; throttled. */
  readonly onDidChangeCalls = this.#calls.event;

  get all(): readonly Agent[] {
    return this.#sessions?.agents() ?? [];
  }

  /** What agents have started and still runs. */
  get runs(): readonly AgentRun[] {
    return this.#sessions?.runs.all.filter(({ result }) => !result) ?? [];
  }

  /** What agents debug, or may have started. */
  get debuggees(): readonly Debuggee[] {
    return this.#sessions?.debuggees.all.filter(({ agent, hasEnded }) => agent && !hasEnded) ?? [];
  }

  /** When the last hook of each agent came, by the agent's id, in milliseconds since the epoch. */
  get lastHooks(): ReadonlyMap<string, number> {
    return this.#sessions?.hooks.lastOf ?? new Map();
  }

  /** Where words of the user are sent; undefined before the first agent. */
  get hooks(): HookSessions | undefined {
    return this.#sessions?.hooks.sessions;
  }

  follow(sessions: Sessions): void {
    this.#sessions = sessions;
  }

  /** Call it before the window or its server ends: tells agents that wait for the user that nothing was done. */
  async refuseWaiting(): Promise<void> {
    await this.#sessions?.refuseWaiting();
  }

  async close(): Promise<void> {
    await this.refuseWaiting();
    this.#sessions?.dispose();
  }

  readonly changed = (): void => this.#comings.fire();
  readonly callsChanged = (): void => this.#calls.fire();

  dispose(): void {
    this.#comings.dispose();
    this.#calls.dispose();
  }
}
