import type { Server } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import type { Context } from '../features/context.ts';
import type { Features } from '../features/features.ts';

export interface Told {
  /** The roots that the agent knows of, where it has asked this server for any: `rootsFor`. */
  roots: string | undefined;
}

/** Sends word of a change; an agent that has gone meanwhile needs none. */
export function tell(server: Server | undefined, method: string, params?: { uri: string }): void {
  if (!server?.transport) return;
  void server.notification(params ? { method, params } : { method }).catch(() => {});
}

/** Tells an agent of lists that changed, for as long as its server lives. */
export function announce(server: Server, features: Features, ctx: Context, told: Told): vscode.Disposable {
  const send = (method: string) => tell(server, method);
  const compareRoots = () => {
    const now = rootsFor(ctx);
    if (told.roots === undefined || told.roots === now) return;
    told.roots = now;
    send('notifications/roots/list_changed');
  };
  const subscriptions = [
    ctx.switches.watch(features.tools, () => send('notifications/tools/list_changed')),
    ...features.resources.map((provider) =>
      provider.watch(ctx, () => send('notifications/resources/list_changed')),
    ),
    ...features.prompts.map((provider) =>
      provider.watch(ctx, () => send('notifications/prompts/list_changed')),
    ),
    ctx.vscode.workspace.onDidChangeWorkspaceFolders(compareRoots),
    ctx.files.watchRules(compareRoots),
  ];
  return ctx.vscode.Disposable.from(...subscriptions);
}

/** The same while `roots/list` would answer the same. */
export const rootsFor = ({ files }: Context): string =>
  JSON.stringify(files.toldFolders().map(({ uri, name }) => [uri.toString(), name]));
