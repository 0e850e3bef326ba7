import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors.ts';
import type { Fields } from '../../core/json.ts';
import { allVisible } from '../../core/text/escapeInvisible.ts';
import type { FoundServer } from '../../hosting/config/sources.ts';
import type { Hosted } from '../../hosting/servers/hosted.ts';
import type { Hosting } from '../../hosting/servers/hosting.ts';
import type { UsableServer } from '../../hosting/servers/launcher.ts';
import type { Agents } from '../agents.ts';
import type { ReadOnlyTexts } from '../readOnlyTexts.ts';
import { oneLine, quoted } from '../untrustedText.ts';
import { approveHosted, hostFound } from './approve.ts';
import { Notices } from './notices.ts';
import { openDefinition } from './openDefinition.ts';
import { rootRows } from './rows.ts';
import type { ServerRow } from './serverRow.ts';
import { writeServer } from './setting.ts';
import { enterAll, start } from './start.ts';
import { isWaiting } from './stateText.ts';
import { reviewTool, switchTool } from './tools.ts';

export interface ServersParts {
  hosting: Hosting;
  agents: Agents;
  texts: ReadOnlyTexts;
}

/** What the user sees of the window's hosted servers, and does with them. */
export class Servers implements vscode.Disposable {
  readonly hosting: Hosting;
  readonly #texts: ReadOnlyTexts;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;
  readonly #notices: Notices;

  constructor({ hosting, agents, texts }: ServersParts) {
    this.hosting = hosting;
    this.#texts = texts;
    this.#notices = new Notices({
      review: (servers) => this.#approveAll(servers),
      restart: (server) => this.start(server),
      showLog: (server) => this.showLog(server),
    });
    const update = () => {
      this.#notices.update(hosting.servers, agents.all.length > 0);
      this.#changes.fire();
    };
    this.#listening = vscode.Disposable.from(
      hosting.onDidChange(update),
      agents.onDidChange(update),
      this.#changes,
    );
    void hosting.loaded.then(update);
  }

  /** Fires when a row may have changed. */
  readonly onDidChange: vscode.Event<void> = (listener) => this.#changes.event(listener);

  /** The rows of the view. */
  rows(): ServerRow[] {
    return rootRows(this.hosting);
  }

  /** How many servers need the user: they have failed, wait for an approval, or have tools that changed. */
  get attention(): number {
    const hasHeld = ({ tools }: Hosted) => tools.some(({ held }) => held);
    return this.hosting.servers.filter(
      (server) => server.state === 'failed' || isWaiting(server) || (server.isUsable && hasHeld(server)),
    ).length;
  }

  /** Asks for approval, then starts the server. @returns whether it runs */
  async approve(server: Hosted): Promise<boolean> {
    return (await approveHosted(server, this.#texts)) === 'yes' && this.start(server);
  }

  /** Asks for approval of a server of a file, hosts and starts it. */
  async host(found: FoundServer | undefined): Promise<boolean> {
    if (!found || !('definition' in found.found)) return false;
    const server = await hostFound(this.hosting, found as UsableServer, this.#texts);
    return server ? this.start(server) : false;
  }

  /** Starts a server afresh; if it waits for the approval, the user is asked first. @returns whether it runs */
  async start(server: Hosted): Promise<boolean> {
    if (isWaiting(server)) return this.approve(server);
    this.#notices.skipFailure(server); // an error is shown here
    try {
      return await start(server);
    } catch (error) {
      if (isWaiting(server)) return this.approve(server); // its env file sets other variables
      await this.#tellFailed(server, error as Error);
      return server.state === 'running';
    }
  }

  /** Opens the user's browser at the server's sign-in, then starts the server. @returns whether it runs */
  async signIn(server: Hosted): Promise<boolean> {
    if (!server.signIn) return this.start(server);
    const { l10n, window, ProgressLocation } = vscode;
    const title = l10n.t('Waiting for you to sign in at {0} in your browser…', quoted(server.name, 60));
    const options = { location: ProgressLocation.Notification, title, cancellable: true };
    await window.withProgress(options, async (_, cancellation) => {
      const abort = new AbortController();
      cancellation.onCancellationRequested(() => abort.abort());
      await server.signIn?.authorize(abort.signal).catch(unlessCancelled);
    });
    return server.signIn.isRequired ? false : this.start(server);
  }

  /** Writes a server into the user's setting and reads it. @returns it, unless it cannot be used */
  async write(name: string, definition: Fields): Promise<Hosted | undefined> {
    return this.#notices.whileQuiet(async () => {
      await writeServer(name, definition);
      await this.hosting.load();
      return this.hosting.servers.find(
        ({ server }) => server.name === name && server.source.kind === 'settings',
      );
    });
  }

  /**
   * Asks for approval of a server that the user has just added, and starts it; if it is not wanted, it is removed again.
   *
   * @param wanted called before it starts, unless the user declines it
   */
  async tryOut(server: Hosted, wanted: () => Promise<void> = async () => {}): Promise<void> {
    const { l10n, window } = vscode;
    const name = quoted(server.name, 60);
    const answer = await approveHosted(server, this.#texts);
    if (answer === 'no') return this.#removeOwn(server);
    await wanted();
    if (answer === 'later') return;
    this.#notices.skipFailure(server);
    try {
      if (!(await start(server))) return;
      const { length } = server.catalogue?.tools ?? [];
      void window.showInformationMessage(l10n.t('The MCP server {0} runs. Its tools: {1}', name, length));
    } catch (error) {
      if (isWaiting(server)) return this.tryOut(server);
      const [retry, edit, log] = [l10n.t('Retry'), l10n.t('Edit'), l10n.t('Show Log')];
      const keep = l10n.t('Keep Anyway');
      const message = oneLine((error as Error).message, 1_000);
      const answer = await window.showErrorMessage(message, retry, edit, log, keep, l10n.t('Remove Server'));
      if (answer === retry) return this.tryOut(server);
      if (answer === edit) return openDefinition(server.server);
      if (answer === log) return this.showLog(server);
      if (answer !== keep && answer !== undefined) await this.#removeOwn(server);
    }
  }

  showLog(server: Hosted): Promise<void> {
    const lines = server.runs.lines.map(allVisible);
    const text = lines.length > 0 ? lines.join('\n') : vscode.l10n.t('It has not run in this window.');
    return this.#texts.show(vscode.l10n.t('{0}: log', oneLine(server.name, 60)), `${text}\n`);
  }

  reviewTool({ server, tool }: ServerRow): Promise<void> | undefined {
    return server && tool && reviewTool(server, `${tool.name}`, this.#texts);
  }

  /** The user clicks the switch of a tool. */
  readonly check = async (row: ServerRow, isOn: boolean): Promise<void> => {
    await switchTool(row, isOn);
    this.#changes.fire(); // also if nothing has changed: the click has moved the switch
  };

  /** Removes a server of the setting, or takes back the approval of one of a file. The user confirms it. */
  async remove(server: Hosted): Promise<void> {
    const { l10n, window } = vscode;
    const isOwn = server.server.source.kind === 'settings';
    const remove = l10n.t('Remove Server');
    const answer = await window.showWarningMessage(
      l10n.t('Remove the MCP server {0}?', quoted(server.name, 60)),
      {
        modal: true,
        detail: isOwn
          ? l10n.t('It is removed from your setting {0}.', 'workspaceMcp.servers')
          : l10n.t('Its file stays. It is no longer hosted until you approve it again.'),
      },
      remove,
    );
    if (answer !== remove) return;
    await (isOwn ? this.#removeOwn(server) : this.hosting.revoke(server));
  }

  dispose(): void {
    this.#listening.dispose();
  }

  async #removeOwn(server: Hosted): Promise<void> {
    await writeServer(server.name, undefined); // first, or the user is told that it waits for approval
    await this.hosting.revoke(server);
  }

  /** None waits for the start of another one, which can take minutes. @throws what the starts throw, once all are asked about */
  async #approveAll(servers: readonly Hosted[]): Promise<void> {
    const starts: Promise<unknown>[] = [];
    for (const { server } of servers) {
      const now = this.hosting.hostedOf(server); // its definition may have changed
      if (!now || !isWaiting(now)) continue;
      const answer = await approveHosted(now, this.#texts).catch((error: Error) => {
        starts.push(this.#tellFailed(now, error));
      });
      if (answer === 'yes') starts.push(this.start(now));
    }
    await Promise.all(starts);
  }

  /** The message has the last error on its stderr. A wrong value that the user entered can be entered again. */
  async #tellFailed(server: Hosted, error: Error): Promise<void> {
    const { l10n, window } = vscode;
    const entered = server.inputs;
    const [retry, enter, showLog] = [l10n.t('Retry'), l10n.t('Enter Values Again…'), l10n.t('Show Log')];
    const signIn = l10n.t('Sign In…');
    const needsSignIn = server.signIn?.isRequired === true;
    const choices = [needsSignIn ? signIn : retry, ...(entered.length > 0 ? [enter] : []), showLog];
    const answer = await window.showErrorMessage(oneLine(error.message, 1_000), ...choices);
    if (answer === showLog) return this.showLog(server);
    if (answer === signIn) return void (await this.signIn(server));
    if (answer === undefined || (answer === enter && !(await enterAll(server, entered)))) return;
    await this.start(server);
  }
}

function unlessCancelled(error: unknown): void {
  if (!(error instanceof CancelledError)) throw error;
}
