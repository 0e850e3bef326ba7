import * as vscode from 'vscode';
import type { Hosted } from '../../hosting/servers/hosted.ts';
import { oneLine, quoted } from '../untrustedText.ts';
import { isWaiting } from './stateText.ts';

export interface NoticeActions {
  review(servers: readonly Hosted[]): unknown;
  restart(server: Hosted): unknown;
  showLog(server: Hosted): unknown;
}

/** Notifies the user about servers that need them: once a server and reason. */
export class Notices {
  readonly #actions: NoticeActions;
  readonly #waiting = new Set<string>();
  readonly #failed = new Set<string>();
  #isQuiet = false;

  constructor(actions: NoticeActions) {
    this.#actions = actions;
  }

  /** Runs something without notifications about servers that wait: the user is about to be asked about its result. */
  async whileQuiet(run: () => Promise<Hosted | undefined>): Promise<Hosted | undefined> {
    this.#isQuiet = true;
    try {
      const asked = await run();
      if (asked) this.#waiting.add(asked.key);
      return asked;
    } finally {
      this.#isQuiet = false;
    }
  }

  /** @param hasAgents without an agent, nobody waits for a server */
  update(servers: readonly Hosted[], hasAgents: boolean): void {
    for (const server of servers) if (server.state === 'running') this.#failed.delete(server.key);
    const failed = servers.filter((server) => server.state === 'failed' && isNew(this.#failed, server));
    for (const server of failed) void this.#tellFailed(server);
    if (!hasAgents || this.#isQuiet) return;
    const waiting = servers.filter((server) => isWaiting(server) && isNew(this.#waiting, server));
    if (waiting.length > 0) void this.#tellWaiting(waiting);
  }

  /** The next failure of the server is shown to the user elsewhere. */
  skipFailure(server: Hosted): void {
    this.#failed.add(server.key);
  }

  async #tellWaiting(servers: readonly Hosted[]): Promise<void> {
    const { l10n, window } = vscode;
    const names = servers.map(({ name }) => quoted(name, 40)).join(', ');
    const text =
      servers.length === 1
        ? l10n.t('The MCP server {0} waits for your approval.', names)
        : l10n.t('{0} MCP servers wait for your approval: {1}', servers.length, names);
    const review = l10n.t('Review…');
    if ((await window.showInformationMessage(text, review)) === review) await this.#actions.review(servers);
  }

  async #tellFailed(server: Hosted): Promise<void> {
    const { l10n, window } = vscode;
    const needsInput = server.missingInputs.length > 0;
    const restart = needsInput ? l10n.t('Enter Values…') : l10n.t('Restart');
    const showLog = l10n.t('Show Log');
    const text = l10n.t(
      'The MCP server {0} failed: {1}',
      quoted(server.name, 40),
      oneLine(server.problem ?? '', 500),
    );
    const answer = await window.showErrorMessage(text, restart, showLog);
    if (answer === restart) await this.#actions.restart(server);
    if (answer === showLog) await this.#actions.showLog(server);
  }
}

function isNew(told: Set<string>, { key }: Hosted): boolean {
  if (told.has(key)) return false;
  told.add(key);
  return true;
}
