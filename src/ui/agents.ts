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

  follow(sessions: Sessions): vscode.Disposable {
    this.#sessions = sessions;
    return sessions.onDidChangeCalls(() => this.#calls.fire());
  }

  readonly changed = (): void => this.#comings.fire();

  dispose(): void {
    this.#comings.dispose();
    this.#calls.dispose();
  }
}
