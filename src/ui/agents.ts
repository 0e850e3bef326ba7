import * as vscode from 'vscode';
import type { Agent } from '../server/agent.ts';
import type { Sessions } from '../server/sessions.ts';

/** The connected agents, for all who show them: none until the first one comes, which is when their code is loaded. */
export class Agents implements vscode.Disposable {
  readonly #comings = new vscode.EventEmitter<void>();
  readonly #calls = new vscode.EventEmitter<void>();
  #sessions: Sessions | undefined;

  /** Fires when an agent has come or gone. */
  readonly onDidChange = this.#comings.event;
  /** Fires, not too often, when calls have begun or ended. */
  readonly onDidChangeCalls = this.#calls.event;

  get all(): readonly Agent[] {
    return this.#sessions?.agents() ?? [];
  }

  /** Called once the code of the sessions is loaded. */
  follow(sessions: Sessions): void {
    this.#sessions = sessions;
  }

  /** Before the window or its server ends: tells agents that wait for the person that nothing was done. */
  async refuseWaiting(): Promise<void> {
    await this.#sessions?.refuseWaiting();
  }

  /** Ends all sessions; the same is told before. */
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
