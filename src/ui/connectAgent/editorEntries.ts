import { readFileSync } from 'node:fs';
import type * as vscode from 'vscode';
import type { Machine } from '../../agents/program.ts';
import { agentPrograms } from '../../agents/programs.ts';
import { startsShim } from '../../core/ownShim.ts';

type Workspace = Pick<typeof vscode.workspace, 'workspaceFolders' | 'getConfiguration'>;

/** Configurations of other agents that VS Code reads too, by the names in its setting `chat.mcp.discovery.enabled`. */
const DISCOVERED: Record<string, [program: string, scope: string]> = {
  'claude-desktop': ['claude-desktop', 'user'],
  copilot: ['copilot-cli', 'user'],
  windsurf: ['windsurf', 'user'],
  'cursor-global': ['cursor', 'user'],
  'cursor-workspace': ['cursor', 'project'],
};

/** The files in which the agent of this editor finds servers. @param id of its row */
export function entryFiles(id: string, machine: Machine, workspace: Workspace): string[] {
  const folders = (workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => ({ ...machine, folder: uri.fsPath }));
  const filesOf = (program: string, scope?: string) =>
    agentPrograms
      .filter((one) => one.id === program)
      .flatMap(({ places }) => places.filter((place) => scope === undefined || place.scope === scope))
      .flatMap((place) => [machine, ...folders].flatMap((one) => place.files(one)));
  // VS Code reads also the file that Claude Code shares with the repository.
  const others = id === 'vscode' ? [...discovered(workspace), ['claude-code', 'project'] as const] : [];
  return [...new Set([...filesOf(id), ...others.flatMap(([program, scope]) => filesOf(program, scope))])];
}

/** Whether one of the files starts our shim. They are not parsed: that code is large, and every window asks at its start. */
export const hasEntry = (files: readonly string[]): boolean =>
  files.some((file) => {
    try {
      return startsShim([readFileSync(file, 'utf8').replaceAll('\\\\', '\\')]);
    } catch {
      return false; // no such file
    }
  });

function discovered(workspace: Workspace): (readonly [program: string, scope: string])[] {
  const setting = workspace.getConfiguration('chat').get<unknown>('mcp.discovery.enabled');
  if (typeof setting !== 'object' || setting === null)
    return setting === true ? Object.values(DISCOVERED) : [];
  return Object.entries(setting)
    .filter(([, isOn]) => isOn === true)
    .flatMap(([name]) => (Object.hasOwn(DISCOVERED, name) ? [DISCOVERED[name] ?? []] : []))
    .filter((one): one is [string, string] => one.length === 2);
}
