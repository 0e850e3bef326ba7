import * as vscode from 'vscode';
import { clock } from '../../util/clock.ts';
import type { Agents } from '../agents.ts';
import type { Controls } from '../controls.ts';
import { lazily } from '../lazily.ts';
import type { EditorAgent } from './editorAgent.ts';
import { ownAgentOf } from './found.ts';

/** As in package.json. */
const PROVIDER = 'workspaceMcp.window';

/** Milliseconds after the start of a window: until the first its other extensions start, until the second the machine is busy. */
const DELAY = 2_000;
const LONG_DELAY = 20_000;

/** Where VS Code stores the names of agents. */
const KEY = 'agents.lastConnected';
const MOST_NAMES = 50;

/**
 * Offers this window's server to the agent of this editor, unless a configuration file has an entry for it. The provider is there
 * from the start, because VS Code's agent waits for the first answer of those that are; the code behind it is loaded later.
 */
export function serveEditorAgent(
  { server, log, extension }: Pick<Controls, 'server' | 'log' | 'extension'>,
  load: (change: () => void) => Promise<EditorAgent>,
): vscode.Disposable {
  const id = ownAgentOf(vscode);
  if (id === undefined) return new vscode.Disposable(() => {});
  const changes = new vscode.EventEmitter<void>();
  const change = () => changes.fire();
  const made: vscode.Disposable[] = [changes, server.onDidChangeState(change)];
  const agent = lazily(async () => {
    await new Promise<void>((resolve) => {
      made.push(new vscode.Disposable(clock.after(DELAY, resolve)));
    });
    const one = await load(change);
    made.push(one);
    return one;
  });
  if (id === 'cursor') {
    const update = () => void agent().then((one) => one.updateCursor(), log.error);
    made.push(changes.event(update));
    update();
  } else
    made.push(
      vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
        onDidChangeMcpServerDefinitions: changes.event,
        provideMcpServerDefinitions: async () => {
          const own = await (await agent()).command();
          const { version } = extension.packageJSON;
          return own
            ? [new vscode.McpStdioServerDefinition('Workspace MCP', own.command, own.args, own.env, version)]
            : [];
        },
      }),
    );
  return new vscode.Disposable(() => {
    for (const one of made) one.dispose();
  });
}

/** Looks for agents to connect after the window has been open for a while, and only in a window that the user looks at. */
export function offerLater(
  { server, log }: Pick<Controls, 'server' | 'log'>,
  offer: () => Promise<void>,
): vscode.Disposable {
  let focus: vscode.Disposable | undefined;
  const run = () => {
    focus?.dispose();
    if (server.state === 'running') void offer().catch((error: Error) => log.error(error));
  };
  const cancel = clock.after(LONG_DELAY, () => {
    if (vscode.window.state.focused) run();
    else focus = vscode.window.onDidChangeWindowState(({ focused }) => focused && run());
  });
  return new vscode.Disposable(() => {
    cancel();
    focus?.dispose();
  });
}

type Store = Pick<vscode.Memento, 'get' | 'update'>;

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
