import type * as vscode from 'vscode';
import type { PromptKind } from './promptSource.ts';

/**
 * The sources that are on. The setting has application scope: a repository must not give agents what is the user's own, nor may a
 * remote machine, whose settings a devcontainer.json can write.
 */
export function sourcesOn({ workspace }: typeof vscode): ReadonlySet<PromptKind> {
  const { defaultValue, globalValue } =
    workspace.getConfiguration('workspaceMcp.prompts').inspect<Record<PromptKind, unknown>>('sources') ?? {};
  const all = Object.entries({ ...defaultValue, ...globalValue }) as [PromptKind, unknown][];
  return new Set(all.filter(([, isOn]) => isOn === true).map(([kind]) => kind));
}
