import * as vscode from 'vscode';
import { findLaunch } from '../../agents/launch.ts';
import type { Controls } from '../controls.ts';
import { configure } from './connect.ts';
import { type Found, findAgents } from './found.ts';
import { agentMachine } from './machine.ts';

/** What was offered, in the state of all windows. */
const KEY = 'connectAgent.offered';
const NEVER = 'never';

/** Tells the user once about agents that are not connected yet, and once about each entry that is broken. */
export async function offerToConnect(controls: Controls): Promise<void> {
  const { globalState } = controls.context;
  const offered = globalState.get<string[]>(KEY, []);
  if (offered.includes(NEVER)) return;
  const machine = agentMachine(controls.context.globalStorageUri);
  const launch = await findLaunch();
  const found = await findAgents(controls, launch, machine);
  const tell = (...keys: string[]) => globalState.update(KEY, [...offered, ...keys]);
  const broken = found.filter(
    ({ main: { examined } }) => examined.state === 'broken' && !offered.includes(examined.file),
  );
  if (broken.length > 0) {
    await tell(...broken.map(({ main }) => main.examined.file));
    for (const { main } of broken)
      await offerRepair(main, () => configure(main, { controls, launch, machine }), tell);
    return;
  }
  const isKnown = found.some(
    ({ isConnected, main: { examined } }) =>
      isConnected || (examined.state !== 'absent' && examined.state !== 'unreadable'),
  );
  const here = found.filter(({ isInstalled, isBuiltIn }) => isInstalled && !isBuiltIn);
  if (isKnown || here.length === 0 || offered.includes('connect')) return;
  await tell('connect');
  await offerFirst(here, tell);
}

type Tell = (key: string) => Thenable<void>;

async function offerFirst(here: Found[], tell: Tell): Promise<void> {
  const { l10n, window, commands } = vscode;
  const names = here.map(({ program }) => program.name).join(', ');
  const connect = l10n.t('Connect…');
  const never = l10n.t('Do Not Ask Again');
  const text = l10n.t('Workspace MCP can connect agents of this machine to VS Code: {0}.', names);
  const answer = await window.showInformationMessage(text, connect, never);
  if (answer === connect) await commands.executeCommand('workspaceMcp.connectAgent');
  if (answer === never) await tell(NEVER);
}

async function offerRepair(
  { target, examined }: Found['main'],
  repair: () => Promise<void>,
  tell: Tell,
): Promise<void> {
  const { l10n, window } = vscode;
  const yes = l10n.t('Repair…');
  const never = l10n.t('Do Not Ask Again');
  const text = l10n.t(
    '{0} cannot start Workspace MCP: {1}',
    target.program.name,
    examined.problem ?? examined.file,
  );
  const answer = await window.showWarningMessage(text, yes, never);
  if (answer === yes) await repair();
  if (answer === never) await tell(NEVER);
}
