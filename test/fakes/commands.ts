import type { Uri } from 'vscode';
import { strict } from './strict.ts';
import type { FakeTabs } from './tabs.ts';

/** The namespace `commands`. */
export class FakeCommands {
  /** Every command that was run, with its arguments. */
  readonly run: { command: string; args: unknown[] }[] = [];
  /** What a command returns; undefined without an entry. */
  readonly answers = new Map<string, (...args: unknown[]) => unknown>();
  readonly #tabs: FakeTabs;

  constructor(tabs: FakeTabs) {
    this.#tabs = tabs;
  }

  readonly api = strict({
    getCommands: async () => [...this.answers.keys()],
    executeCommand: async (command: string, ...args: unknown[]) => {
      this.run.push({ command, args });
      if (command === 'vscode.open') this.#tabs.opens((args[0] as Uri).fsPath);
      return this.answers.get(command)?.(...args);
    },
  });
}
