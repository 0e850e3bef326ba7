import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { InvalidFile, isInstalled } from '../../agents/configurationFile.ts';
import { type Examined, examine } from '../../agents/examine.ts';
import {
  type AgentProgram,
  findLaunch,
  type Launch,
  type Machine,
  type PlaceScope,
  type ServerCommand,
  type Target,
} from '../../agents/program.ts';
import { agentPrograms } from '../../agents/programs.ts';
import { UserError } from '../../core/errors.ts';
import { OLDEST_NODE } from '../../ipc/installedShim.ts';
import { servedLanguages } from '../../services/language/servedLanguages.ts';
import type { Controls } from '../controls.ts';
import { oneLine, showMessage } from '../messages.ts';

/** A file of an agent on this machine, and our entry in it. */
export interface FoundEntry {
  target: Target;
  examined: Examined;
}

export interface FoundAgent {
  program: AgentProgram;
  isInstalled: boolean;
  /** To this window, now. */
  isConnected: boolean;
  /** It is the agent of this editor, which has our server without an entry. */
  isBuiltIn: boolean;
  entries: FoundEntry[];
  /** The one that tells most about it: the first that needs a repair, else the first with an entry, else the usual one. */
  main: FoundEntry;
}

const IMPORTANCE: readonly Examined['state'][] = ['broken', 'unreadable', 'outdated', 'configured', 'absent'];

export interface Surroundings {
  machine: Machine;
  launch: Launch;
  found: FoundAgent[];
}

export async function lookAround(controls: Pick<Controls, 'agents' | 'context'>): Promise<Surroundings> {
  const machine = { ...agentMachine(controls.context), languages: servedLanguages(vscode) };
  const launch = await findLaunch();
  return { machine, launch, found: await findAgents(controls, launch, machine) };
}

/** All agents that can be configured here, in the order of the table. */
export async function findAgents(
  { agents }: Pick<Controls, 'agents'>,
  launch: Launch,
  machine: Machine,
): Promise<FoundAgent[]> {
  const found = await Promise.all(
    agentPrograms.map(async (program): Promise<FoundAgent[]> => {
      const entries = await entriesOf(program, launch, machine);
      const [main] = entries.toSorted((a, b) => rank(a) - rank(b));
      if (!main) return [];
      const isBuiltIn = program.id === ownAgentOf(vscode);
      // An editor's own agent has the name of the editor, whatever that is.
      const isConnected = agents.all.some(
        ({ name }) => program.client.test(name) || (isBuiltIn && name === vscode.env.appName),
      );
      const isHere = isConnected || isBuiltIn || isInstalled(program, machine);
      return [{ program, isInstalled: isHere, isConnected, isBuiltIn, entries, main }];
    }),
  );
  return found.flat();
}

const rank = ({ examined }: FoundEntry): number => IMPORTANCE.indexOf(examined.state);

async function entriesOf(program: AgentProgram, launch: Launch, machine: Machine): Promise<FoundEntry[]> {
  const all = await Promise.all(
    program.places.map(async (place) => {
      const target = { program, place };
      const examined = await examine(target, launch, machine);
      return examined && { target, examined };
    }),
  );
  return all.filter((one) => one !== undefined);
}

const ICONS: Record<Examined['state'], string> = {
  configured: 'pass',
  outdated: 'warning',
  broken: 'error',
  unreadable: 'error',
  absent: 'circle-large-outline',
};

export function entryStateText({ state, problem }: Examined): string {
  const { l10n } = vscode;
  const text = {
    configured: l10n.t('configured'),
    outdated: l10n.t('out of date'),
    broken: l10n.t('broken'),
    unreadable: l10n.t('broken'),
    absent: l10n.t('not configured'),
  }[state];
  return problem ? `${text}: ${oneLine(problem)}` : text;
}

export const entryIcon = ({ state }: Examined): string => ICONS[state];

export function agentState(found: FoundAgent): [icon: string, text: string] {
  const { l10n } = vscode;
  const { isConnected, isBuiltIn, main } = found;
  const { examined } = main;
  if (isConnected && entryIcon(examined) !== 'error') return ['plug', l10n.t('connected now')];
  if (isBuiltIn && examined.state === 'absent') return ['pass', l10n.t('built in: needs no configuration')];
  return [entryIcon(examined), entryStateText(examined)];
}

export function scopeText(scope: PlaceScope): string {
  const { l10n } = vscode;
  return {
    user: l10n.t('All Your Projects'),
    project: l10n.t('This Folder, Shared'),
    local: l10n.t('This Folder, Only You'),
  }[scope];
}

/** Runs something with a configuration file. Shows what is wrong with the file, with a button that opens it there. */
export async function withFile(file: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { file: path, line } = error instanceof InvalidFile ? error : { file, line: 1 };
    const at = new vscode.Position(line - 1, 0);
    const open = () =>
      vscode.window.showTextDocument(vscode.Uri.file(path), { selection: new vscode.Range(at, at) });
    await showMessage('Error', error.message, [[vscode.l10n.t('Open File'), open]]);
  }
}

/** The machine of the extension host: agents that run there can reach this window. */
export function agentMachine({
  globalStorageUri: storage,
  extensionPath,
}: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'extensionPath'>): Machine {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  return {
    platform: process.platform,
    env: process.env,
    home: homedir(),
    ...(folder && { folder: folder.uri.fsPath }),
    ...(storage.scheme === 'file' && { userData: dirname(dirname(storage.fsPath)) }),
    isRemote: vscode.env.remoteName !== undefined,
    ownSkills: join(extensionPath, 'skills'),
    l10n: vscode.l10n,
  };
}

/** The API of Cursor: https://cursor.com/docs/extension-api. */
interface CursorServers {
  registerServer(config: { name: string; server: ServerCommand }): void;
  unregisterServer(name: string): void;
}

export const cursorServers = (api: object): CursorServers | undefined =>
  (api as { cursor?: { mcp?: CursorServers } }).cursor?.mcp;

/** The row of the agent that is part of this editor; undefined if the editor takes no servers from extensions. */
export function ownAgentOf(api: { lm?: object }): 'cursor' | 'vscode' | undefined {
  if (cursorServers(api)) return 'cursor';
  return 'registerMcpServerDefinitionProvider' in (api.lm ?? {}) ? 'vscode' : undefined;
}

/** What the user must know about an agent's entry. @param agent name; empty for any other agent */
export function cautions({ isOwn }: Pick<Launch, 'isOwn'>, agent: string): string[] {
  const { l10n } = vscode;
  const ownNode = l10n.t(
    "Node.js {0} or newer is not on the PATH, so this uses VS Code's own. If an update moves VS Code, connect the agent again.",
    OLDEST_NODE,
  );
  const untrusted = l10n.t('{0} starts MCP servers only in folders that you trust in {0}.', agent);
  const asksForTrust = agent === 'Gemini CLI' || agent === 'Qwen Code';
  return [...(isOwn ? [ownNode] : []), ...(asksForTrust ? [untrusted] : [])];
}
