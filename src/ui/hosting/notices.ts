import * as vscode from 'vscode';
import type { Hosted } from '../../hosting/index.ts';
import { oneLine, quoted, showMessage } from '../messages.ts';
import { isWaiting, missingText, serverStateText } from './rows.ts';

interface NoticeActions {
  review(servers: readonly Hosted[]): unknown;
  restart(server: Hosted): unknown;
  signIn(server: Hosted): unknown;
  showLog(server: Hosted): unknown;
}

/** Notifies the user about servers that need them: once, until the reason has gone. */
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
    for (const server of servers) {
      if (server.state === 'running') this.#failed.delete(server.key);
      if (!isWaiting(server)) this.#waiting.delete(server.key);
      const isOff = server.state === 'failed' || server.state === 'needsUser';
      if (isOff && isNew(this.#failed, server)) void this.#reportStopped(server);
    }
    if (!hasAgents || this.#isQuiet) return;
    const waiting = servers.filter((server) => isWaiting(server) && isNew(this.#waiting, server));
    void this.#reportWaiting(waiting);
  }

  /** The next failure of the server is shown to the user elsewhere. */
  skipFailure(server: Hosted): void {
    this.#failed.add(server.key);
  }

  async #reportWaiting(servers: readonly Hosted[]): Promise<void> {
    const { l10n } = vscode;
    const [first, ...others] = servers;
    if (!first) return;
    const text =
      others.length > 0
        ? l10n.t('{0} MCP servers wait for your approval: {1}', servers.length, servers.map(named).join(', '))
        : waitingSentence(first);
    await showMessage('Information', text, [[l10n.t('Review…'), () => this.#actions.review(servers)]]);
  }

  /** It does not run: it has failed, or needs something of the user. */
  #reportStopped(server: Hosted): Promise<void> {
    const { l10n } = vscode;
    const { restart, signIn, showLog } = this.#actions;
    const name = quoted(server.name, 40);
    if (server.state === 'failed') {
      const text = l10n.t('The MCP server {0} failed: {1}', name, oneLine(server.problem ?? '', 500));
      return showMessage('Error', text, [
        [l10n.t('Restart'), () => restart(server)],
        [l10n.t('Show Log'), () => showLog(server)],
      ]);
    }
    const needsSignIn = server.signIn?.isRequired === true;
    const text = needsSignIn
      ? l10n.t('The MCP server {0} waits for your sign-in.', name)
      : l10n.t('The MCP server {0} waits for values that you enter: {1}', name, missingText(server));
    return showMessage('Information', text, [
      needsSignIn
        ? [l10n.t('Sign In…'), () => signIn(server)]
        : [l10n.t('Enter Values…'), () => restart(server)],
    ]);
  }
}

function waitingSentence({ name, state, changedParts }: Hosted): string {
  const { l10n } = vscode;
  const shown = quoted(name, 40);
  if (state !== 'changed') return l10n.t('The MCP server {0} waits for your approval.', shown);
  const parts = changedParts.join(', ');
  return l10n.t('The MCP server {0} has changed ({1}) and is stopped until you approve it.', shown, parts);
}

function named(server: Hosted): string {
  const name = quoted(server.name, 40);
  return server.state === 'changed' ? `${name} (${serverStateText(server)})` : name;
}

/** Whether it was not in the set, in which it is from now on. */
const isNew = (keys: Set<string>, { key }: Hosted): boolean => !keys.has(key) && keys.add(key) !== undefined;
