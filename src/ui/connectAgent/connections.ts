import type * as vscode from 'vscode';
import type { Agents } from '../agents.ts';

type Store = Pick<vscode.Memento, 'get' | 'update'>;

const KEY = 'agents.lastConnected';
const MOST_NAMES = 50;

/** Records when agents connect, by the names they declare, for the doctor. @param store for all windows */
export const recordConnections = (agents: Agents, store: Store): vscode.Disposable =>
  agents.onDidChange(() => {
    const known = lastConnections(store);
    const news = agents.all.filter(({ name, connectedAt }) => connectedAt.getTime() > (known[name] ?? 0));
    if (news.length === 0) return;
    const all = { ...known, ...Object.fromEntries(news.map((one) => [one.name, one.connectedAt.getTime()])) };
    const latest = Object.entries(all).sort(([, one], [, other]) => other - one);
    void store.update(KEY, Object.fromEntries(latest.slice(0, MOST_NAMES)));
  });

/** When each agent connected last, in milliseconds since the epoch. */
export const lastConnections = (store: Store): Record<string, number> => store.get(KEY, {});
