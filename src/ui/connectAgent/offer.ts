import * as vscode from 'vscode';
import type { Controls } from '../controls.ts';
import { showMessage } from '../messages.ts';
import { configure } from './connect.ts';
import { type FoundAgent, type FoundEntry, lookAround } from './found.ts';

/** What was offered, in the state of all windows. */
const KEY = 'connectAgent.offered';
const NEVER = 'never';

/** Tells the user once about agents that are not connected yet, and once about each entry that is broken. */
export async function offerToConnect(controls: Controls): Promise<void> {
  const { globalState } = controls.context;
  const offered = globalState.get<string[]>(KEY, []);
  if (offered.includes(NEVER)) return;
  const around = await lookAround(controls);
  const { found } = around;
  const remember = (...keys: string[]) => globalState.update(KEY, [...offered, ...keys]);
  const mains = found.map(({ main }) => main);
  const isNews = ({ examined }: FoundEntry) => !offered.includes(examined.file);
  const broken = mains.filter(({ examined }) => examined.state === 'broken').filter(isNews);
  if (broken.length > 0) {
    await remember(...broken.map(({ examined }) => examined.file));
    for (const main of broken) await offerRepair(main, () => configure(main, controls, around), remember);
    return;
  }
  const isKnown = found.some(
    ({ isConnected, main: { examined } }) =>
      isConnected || (examined.state !== 'absent' && examined.state !== 'unreadable'),
  );
  const here = found.filter(({ isInstalled, isBuiltIn }) => isInstalled && !isBuiltIn);
  if (isKnown || here.length === 0 || offered.includes('connect')) return;
  await remember('connect');
  await offerFirst(here, remember);
}

type Remember = (key: string) => Thenable<void>;

function offerFirst(here: FoundAgent[], remember: Remember): Promise<void> {
  const { l10n, commands } = vscode;
  const names = here.map(({ program }) => program.name).join(', ');
  const text = l10n.t('Workspace MCP can connect agents of this machine to VS Code: {0}.', names);
  return showMessage('Information', text, [
    [l10n.t('Connect…'), () => commands.executeCommand('workspaceMcp.connectAgent')],
    [l10n.t('Do Not Ask Again'), () => remember(NEVER)],
  ]);
}

function offerRepair({ target, examined }: FoundEntry, repair: () => Promise<void>, remember: Remember) {
  const { l10n } = vscode;
  const { problem, file } = examined;
  const text = l10n.t('{0} cannot start Workspace MCP: {1}', target.program.name, problem ?? file);
  return showMessage('Warning', text, [
    [l10n.t('Repair…'), repair],
    [l10n.t('Do Not Ask Again'), () => remember(NEVER)],
  ]);
}
