import type * as vscode from 'vscode';
import { Emitter } from './emitter.ts';

export type Settings = Record<string, unknown>;

/** Values by full name: the user's, those of a remote machine, the workspace's, and those of every folder. */
export interface SettingScopes {
  user?: Settings;
  remote?: Settings;
  workspace?: Settings;
  folder?: Settings;
}

const defaults: Settings = {
  'files.exclude': { '**/.git': true },
  'files.encoding': 'utf8',
  'workspaceMcp.access.allowedPaths': [],
  'workspaceMcp.access.deniedPaths': [],
  'workspaceMcp.access.guardedPaths': [],
  'workspaceMcp.access.maxFileSize': 10 * 1024 * 1024,
  'workspaceMcp.access.allowedOperations': ['read', 'edit', 'delete', 'run', 'command', 'server'],
  'workspaceMcp.access.redact': [],
  'workspaceMcp.prompts.sources': {
    workspaceSnippets: true,
    userSnippets: true,
    promptFiles: true,
    userPromptFiles: true,
    builtIn: true,
  },
};

/** What `workspace.getConfiguration` reads. */
export class FakeConfiguration {
  readonly onChange = new Emitter<vscode.ConfigurationChangeEvent>();
  scopes: SettingScopes = {};

  readonly sets = (name: string, value: unknown, scope: 'user' | 'workspace' = 'user'): void => {
    this.scopes[scope] = { ...this.scopes[scope], [name]: value };
    this.onChange.fire({ affectsConfiguration: (section) => name.startsWith(section) });
  };

  section(section: string | undefined, scope: vscode.Uri | null | undefined) {
    const nameOf = (key: string) => (section ? `${section}.${key}` : key);
    const inspect = (key: string) => this.#inspect(nameOf(key), scope);
    const get = (key: string, fallback?: unknown) => {
      const { defaultValue, globalValue, workspaceValue, workspaceFolderValue } = inspect(key);
      return workspaceFolderValue ?? workspaceValue ?? globalValue ?? defaultValue ?? fallback;
    };
    const update = async (key: string, value: unknown) => this.sets(nameOf(key), value);
    return { get, inspect, update };
  }

  #inspect(name: string, scope: vscode.Uri | null | undefined) {
    const { user = {}, remote = {}, workspace = {}, folder = {} } = this.scopes;
    return {
      key: name,
      defaultValue: defaults[name],
      globalValue: remote[name] ?? user[name],
      globalLocalValue: user[name],
      globalRemoteValue: remote[name],
      workspaceValue: workspace[name],
      workspaceFolderValue: scope ? folder[name] : undefined,
    };
  }
}
