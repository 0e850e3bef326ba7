import type { Server } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import type { Context, Features } from '../features/define.ts';

export interface Wishes {
  /** The URIs by which this agent wants to hear that a resource's content changed; from 2026-07-28 on the SDK chooses. */
  spellings(uri: string): readonly string[];
  /** Whether it has asked this server for roots, and so takes them from it. */
  wantsRoots(): boolean;
}

/** Tells an agent of lists and contents that changed, for as long as its server lives. */
export function announce(
  server: Server,
  features: Features,
  ctx: Context,
  wishes: Wishes,
): vscode.Disposable {
  // An agent that has gone meanwhile needs no word.
  const send = (method: string, params?: { uri: string }) => {
    if (!server.transport) return;
    void server.notification(params ? { method, params } : { method }).catch(() => {});
  };
  const subscriptions = [
    ctx.switches.watch(features.tools, () => send('notifications/tools/list_changed')),
    ...features.resources.map((provider) =>
      provider.watch(
        ctx,
        () => send('notifications/resources/list_changed'),
        (canonical) => {
          for (const uri of wishes.spellings(canonical)) send('notifications/resources/updated', { uri });
        },
      ),
    ),
    ...features.prompts.map((provider) =>
      provider.watch(ctx, () => send('notifications/prompts/list_changed')),
    ),
    ctx.vscode.workspace.onDidChangeWorkspaceFolders(() => {
      if (wishes.wantsRoots()) send('notifications/roots/list_changed');
    }),
  ];
  return ctx.vscode.Disposable.from(...subscriptions);
}
