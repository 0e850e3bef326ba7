import * as vscode from 'vscode';
import { clock } from '../../util/clock.ts';
import type { Controls } from '../controls.ts';
import { lazily } from '../lazily.ts';
import type { EditorAgent } from './editorAgent.ts';
import { ownAgentOf } from './ownAgent.ts';

/** As in package.json. */
const PROVIDER = 'workspaceMcp.window';

/** Milliseconds after the start of a window: until then its other extensions start. */
const DELAY = 2_000;

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
  } else made.push(register(async () => (await agent()).command(), extension, changes.event));
  return new vscode.Disposable(() => {
    for (const one of made) one.dispose();
  });
}

type Command = () => Promise<{ command: string; args: string[]; env: Record<string, string> } | undefined>;

const register = (
  command: Command,
  { packageJSON: { version } }: Controls['extension'],
  onDidChangeMcpServerDefinitions: vscode.Event<void>,
): vscode.Disposable =>
  vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
    onDidChangeMcpServerDefinitions,
    provideMcpServerDefinitions: async () => {
      const own = await command();
      return own
        ? [new vscode.McpStdioServerDefinition('Workspace MCP', own.command, own.args, own.env, version)]
        : [];
    },
  });
