import type { Server } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import type { Context } from '../features/context.ts';
import type { Features } from '../features/features.ts';
import { whenDifferent } from '../util/whenDifferent.ts';

/** Sends word of a change; an agent that has gone meanwhile needs none. */
export function tell(server: Server | undefined, method: string, params?: { uri: string }): void {
  if (!server?.transport) return;
  void server.notification(params ? { method, params } : { method }).catch(() => {});
}

export interface Announcing extends vscode.Disposable {
  /** The agent has asked this server for its roots: it is told when they change. */
  rootsListed(): void;
}

/** Tells an agent of lists that changed, for as long as its server lives. */
export function announce(server: Server, { tools, resources, prompts }: Features, ctx: Context): Announcing {
  const sending = (method: string) => () => tell(server, method);
  const roots = () => JSON.stringify(ctx.files.toldFolders().map(({ uri, name }) => [uri.toString(), name]));
  let compareRoots = () => {};
  const subscriptions = ctx.vscode.Disposable.from(
    ctx.switches.watch(tools, sending('notifications/tools/list_changed')),
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
