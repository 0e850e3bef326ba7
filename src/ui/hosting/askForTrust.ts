import * as vscode from 'vscode';
import type { FieldChange } from '../../core/fieldChanges.ts';
import { fieldsOf } from '../../core/json.ts';
import type { Hosted, Hosting, LaunchDetails, UsableServer } from '../../hosting/index.ts';
import { oneLine, quoted, showMessage } from '../messages.ts';
import type { PlannedChanges } from '../proposals/plannedChanges.ts';
import type { ServerRow } from '../treeItem.ts';
import {
  openDefinition,
  openServersSetting,
  serversNow,
  withEachAsked,
  withTool,
  writeServer,
} from './definitions.ts';
import {
  believesReadOnly,
  type OpenVerdict,
  settingText,
  trustText,
  trustTitle,
  wrapped,
} from './trustText.ts';

/** Longest text that a dialog shows whole on a small screen, in characters and lines. */
const DIALOG_LENGTH = 1_500;
const DIALOG_LINES = 20;

/** `later`: the user looks at the definition or at the workspace's trust first. */
type ServerAnswer = 'yes' | 'no' | 'later';

/**
 * Asks the user to approve a hosted server.
 *
 * @returns `yes` if it may be started; `later` also if the definition changed again while the user read it
 */
export async function askForTrust(server: Hosted, plans: PlannedChanges): Promise<ServerAnswer> {
  const seen = await server.look();
  const { verdict } = server;
  const { launch } = server.config.found.definition;
  if (verdict.kind === 'trusted') return 'yes';
  if (verdict.kind === 'restricted') {
    await vscode.commands.executeCommand('workbench.trust.manage');
    return 'later';
  }
  const answer = await ask(server.config, verdict, seen, plans);
  if (answer !== 'yes') return answer;
  await server.trust(launch, seen.variables);
  return server.verdict.kind === 'trusted' ? 'yes' : 'later';
}

/** Asks the user to approve a server that is only found in a file. @returns the server, if it is now hosted and may be started */
export async function hostFound(
  hosting: Hosting,
  found: UsableServer,
  plans: PlannedChanges,
): Promise<Hosted | undefined> {
  if ((await askForTrust(hosting.candidate(found), plans)) !== 'yes') return undefined;
  await hosting.load();
  const server = hosting.hostedOf(found);
  return server?.verdict.kind === 'trusted' ? server : undefined;
}

/** A text that is too long for a dialog is shown in an editor, where all of it can be read before the answer. */
async function ask(server: UsableServer, verdict: OpenVerdict, seen: LaunchDetails, plans: PlannedChanges) {
  const { l10n, window } = vscode;
  const yes = l10n.t('Start Server');
  const title = trustTitle(server.name, verdict);
  const detail = trustText(server, verdict, seen);
  if (detail.length <= DIALOG_LENGTH && detail.split('\n').length <= DIALOG_LINES) {
    // Enter chooses the first button of a dialog, and the user may be typing when it opens.
    const show = l10n.t('Show Definition');
    const each = l10n.t('Start, Ask About Each Call');
    const others = believesReadOnly(server) ? [each] : [];
    const answer = await window.showWarningMessage(title, { modal: true, detail }, show, yes, ...others);
    if (answer === each) await writeServer(server.name, withEachAsked(fieldsOf(serversNow()[server.name])));
    if (answer !== show) return answer === yes || answer === each ? 'yes' : 'no';
    await openDefinition(server);
    return 'later';
  }
  const text = wrapped(`${title}\n\n${detail}\n`);
  const hint = l10n.t('Read all of it in the editor first.');
  const question = { title, text: `${title} ${hint}`, yes };
  const read = { after: { name: l10n.t('Server to Approve'), text } };
  return (await plans.askAbout(read, question)) ? 'yes' : 'no';
}

/** Switches a tool on or off for agents: in the user's setting, or for a server of a file in our own state. */
export async function switchTool({ server, tool }: ServerRow, isOn: boolean): Promise<void> {
  if (!server || !tool) return;
  const name = `${tool.name}`;
  if (server.config.source.kind !== 'settings') return server.offer.switchTool(name, isOn);
  const definition = withTool(fieldsOf(serversNow()[server.name]), name, isOn);
  if (definition) return writeServer(server.name, definition);
  const { l10n } = vscode;
  const text = l10n.t('A pattern in {0} switches {1} off.', settingText(), quoted(name));
  await showMessage('Information', text, [[l10n.t('Open Settings'), openServersSetting]]);
}

/** Shows what a tool said when the user approved its server, and what it says now; the user accepts it or leaves it. */
export async function reviewTool({ server, tool }: ServerRow, plans: PlannedChanges): Promise<void> {
  const { l10n } = vscode;
  const name = `${tool?.name}`;
  const one = server?.offer.tools.find((other) => other.tool.name === name);
  if (!server || !one?.held) return;
  const [toolName, serverName] = [oneLine(name, 60), oneLine(server.name, 40)];
  const title = l10n.t('{0} of {1}: approved ↔ now', toolName, serverName);
  const textName = `${serverName} ${toolName}`;
  const read = {
    before: { name: `${textName} (approved)`, text: sideOf(one.held, 'before') },
    after: { name: `${textName} (now)`, text: sideOf(one.held, 'after') },
  };
  const text = l10n.t(
    'The tool {0} of {1} changed after you approved its server, so agents do not get it. Accept what it says now?',
    quoted(name, 60),
    quoted(server.name, 40),
  );
  const answers = { yes: l10n.t('Accept Change'), no: l10n.t('Keep It Back') };
  if (await plans.askAbout(read, { title, text, ...answers })) await server.offer.accept(one.tool);
}

/** One side of the changed fields, each under its name. Invisible characters are escaped already. */
const sideOf = (changes: readonly FieldChange[], side: 'before' | 'after'): string =>
  changes.map((change) => `${change.field}:\n${change[side] ?? ''}\n`).join('\n');
