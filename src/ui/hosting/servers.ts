import * as vscode from 'vscode';
import type { Fields } from '../../core/json.ts';
import { allVisible } from '../../core/text/visible.ts';
import type { FoundServer, Hosted, Hosting, UsableServer } from '../../hosting/index.ts';
import type { Agents } from '../agents.ts';
import { confirmed, oneLine, quoted, showMessage } from '../messages.ts';
import type { PlannedChanges } from '../proposals/plannedChanges.ts';
import type { ReadOnlyTexts } from '../readOnlyTexts.ts';
import type { ServerRow } from '../treeItem.ts';
import { askForTrust, hostFound, reviewTool, switchTool } from './askForTrust.ts';
import { writeServer } from './definitions.ts';
import { Notices } from './notices.ts';
import { isWaiting, rootRows } from './rows.ts';
import { authorize, enterAll, start } from './start.ts';
import { settingText } from './trustText.ts';

interface ServersParts {
  hosting: Hosting;
  agents: Agents;
  texts: ReadOnlyTexts;
  plans: PlannedChanges;
}

/** What the user sees of the window's hosted servers, and does with them. */
export class Servers implements vscode.Disposable {
  readonly hosting: Hosting;
  readonly plans: PlannedChanges;
  readonly notices: Notices;
  readonly #texts: ReadOnlyTexts;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;

  constructor({ hosting, agents, texts, plans }: ServersParts) {
    this.hosting = hosting;
    this.plans = plans;
    this.#texts = texts;
    this.notices = new Notices({
      review: (servers) => this.#trustAll(servers),
      restart: (server) => this.start(server),
      signIn: (server) => this.signIn(server),
      showLog: (server) => this.showLog(server),
    });
    const update = () => {
      this.notices.update(hosting.servers, agents.all.length > 0);
      this.#changes.fire();
    };
    const listening = [hosting.onDidChange(update), agents.onDidChange(update), this.#changes];
    this.#listening = vscode.Disposable.from(...listening);
    void hosting.loaded.then(update);
  }

  /** Fires when a row may have changed. */
  readonly onDidChange = this.#changes.event;

  readonly rows = (): ServerRow[] => rootRows(this.hosting);

  /** The servers that need the user: they have failed, wait for an approval or a value, or have tools that changed. */
  get needing(): readonly Hosted[] {
    const hasHeld = ({ offer }: Hosted) => offer.tools.some(({ held }) => held);
    return this.hosting.servers.filter(
      (server) =>
        ['failed', 'needsUser', 'new', 'changed'].includes(server.state) ||
        (server.isUsable() && hasHeld(server)),
    );
  }

  /** Begins what a server needs of the user; shows changed tools in the view. */
  async attend(server: Hosted): Promise<unknown> {
    if (server.signIn?.isRequired) return this.signIn(server);
    return server.isUsable() && server.state !== 'failed' && server.state !== 'needsUser'
      ? vscode.commands.executeCommand('workspaceMcp.agents.focus')
      : this.start(server);
  }

  /** Asks for approval, then starts the server. @returns whether it runs */
  async askForTrust(server: Hosted): Promise<boolean> {
    return (await askForTrust(server, this.plans)) === 'yes' && this.start(server);
  }

  /** Asks for approval of a server of a file, hosts and starts it. */
  async host(found: FoundServer | undefined): Promise<boolean> {
    if (!found || !('definition' in found.found)) return false;
    const server = await hostFound(this.hosting, found as UsableServer, this.plans);
    return server ? this.start(server) : false;
  }

  /** Starts a server afresh; if it waits for the approval, the user is asked first. @returns whether it runs */
  async start(server: Hosted): Promise<boolean> {
    if (isWaiting(server)) return this.askForTrust(server);
    this.notices.skipFailure(server); // an error is shown here
    try {
      return await start(server);
    } catch (error) {
      if (isWaiting(server)) return this.askForTrust(server); // its env file sets other variables
      await this.#reportFailure(server, error as Error);
      return server.state === 'running';
    }
  }

  /** Opens the user's browser at the server's sign-in, then starts the server. @returns whether it runs */
  async signIn(server: Hosted): Promise<boolean> {
    await authorize(server);
    return server.signIn?.isRequired ? false : this.start(server);
  }

  /** Writes a server into the user's setting and reads it. @returns it, unless it cannot be used */
  async write(name: string, definition: Fields): Promise<Hosted | undefined> {
    return this.notices.whileQuiet(async () => {
      await writeServer(name, definition);
      await this.hosting.load();
      return this.hosting.servers.find(
        ({ config }) => config.name === name && config.source.kind === 'settings',
      );
    });
  }

  showLog(server: Hosted): Promise<void> {
    const lines = server.processes.lines.map(allVisible);
    const text = lines.length > 0 ? lines.join('\n') : vscode.l10n.t('It has not run in this window.');
    return this.#texts.show(vscode.l10n.t('{0}: log', oneLine(server.name, 60)), `${text}\n`);
  }

  readonly reviewTool = (row: ServerRow): Promise<void> => reviewTool(row, this.plans);

  /** The user clicks the switch of a tool. */
  readonly check = async (row: ServerRow, isOn: boolean): Promise<void> => {
    await switchTool(row, isOn);
    this.#changes.fire(); // also if nothing has changed: the click has moved the switch
  };

  /** Removes a server of the setting, or takes back the approval of one of a file. The user confirms it. */
  async remove(server: Hosted): Promise<void> {
    const { l10n } = vscode;
    const isOwn = server.config.source.kind === 'settings';
    const text = l10n.t('Remove the MCP server {0}?', quoted(server.name, 60));
    const detail = isOwn
      ? l10n.t('It is removed from {0}.', settingText())
      : l10n.t('Its file stays. It is no longer hosted until you approve it again.');
    if (!(await confirmed(text, detail, l10n.t('Remove Server')))) return;
    await (isOwn ? this.removeOwn(server) : this.hosting.revoke(server));
  }

  async removeOwn(server: Hosted): Promise<void> {
    await writeServer(server.name, undefined); // first, or a notification says that it waits for approval
    await this.hosting.revoke(server);
  }

  dispose(): void {
    this.#listening.dispose();
  }

  /** None waits for the start of another one, which can take minutes. @throws what the starts throw, once all are asked about */
  async #trustAll(servers: readonly Hosted[]): Promise<void> {
    const starts: Promise<unknown>[] = [];
    for (const { config } of servers) {
      const now = this.hosting.hostedOf(config); // its definition may have changed
      if (!now || !isWaiting(now)) continue;
      const answer = await askForTrust(now, this.plans).catch((error: Error) => {
        starts.push(this.#reportFailure(now, error));
      });
      if (answer === 'yes') starts.push(this.start(now));
    }
    await Promise.all(starts);
  }

  /** The message has the last error on its stderr. A wrong value that the user entered can be entered again. */
  #reportFailure(server: Hosted, error: Error): Promise<void> {
    const { l10n } = vscode;
    const { inputs, signIn } = server;
    const again = async () => (await enterAll(server, inputs)) && this.start(server);
    return showMessage('Error', oneLine(error.message, 1_000), [
      signIn?.isRequired
        ? [l10n.t('Sign In…'), () => this.signIn(server)]
        : [l10n.t('Retry'), () => this.start(server)],
      ...(inputs.length > 0 ? [[l10n.t('Enter Values Again…'), again] as const] : []),
      [l10n.t('Show Log'), () => this.showLog(server)],
    ]);
  }
}
