import type { Server } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import type { Context } from '../features/context.ts';
import type { Features } from '../features/features.ts';
import { whenDifferent } from '../util/whenDifferent.ts';

/** Sends a notification. Ignores errors: the agent may have disconnected. */
export function tell(server: Server | undefined, method: string, params?: { uri: string }): void {
  if (!server?.transport) return;
  void server.notification(params ? { method, params } : { method }).catch(() => {});
}

export interface Announcing extends vscode.Disposable {
  /** The agent has listed the roots of this server: from now on it is notified when they change. */
  rootsListed(): void;
}

/** Notifies an agent of changed lists until disposed. */
export function announce(
  server: Server,
  { tools, toolSources = [], resources, prompts }: Features,
  ctx: Context,
): Announcing {
  const sending = (method: string) => () => tell(server, method);
  const roots = () => JSON.stringify(ctx.files.toldFolders().map(({ uri, name }) => [uri.toString(), name]));
  let compareRoots = () => {};
  const subscriptions = ctx.vscode.Disposable.from(
    ctx.switches.watch(tools, sending('notifications/tools/list_changed')),
    ...toolSources.map((source) => source.watch(ctx, sending('notifications/tools/list_changed'))),
    ...resources.map((provider) => provider.watch(ctx, sending('notifications/resources/list_changed'))),
    ...prompts.map((provider) => provider.watch(ctx, sending('notifications/prompts/list_changed'))),
    ctx.vscode.workspace.onDidChangeWorkspaceFolders(() => compareRoots()),
    ctx.files.watchRules(() => compareRoots()),
  );
  return {
    rootsListed() {
      compareRoots = whenDifferent(roots, sending('notifications/roots/list_changed'));
    },
    dispose: () => subscriptions.dispose(),
  };
}
