import * as vscode from 'vscode';
import type { Launch } from '../../agents/launch.ts';
import { OLDEST_NODE } from '../../ipc/installedShim.ts';

/** What the user must know about an agent's entry. @param agent name; empty for any other agent */
export function cautions({ isOwn }: Pick<Launch, 'isOwn'>, agent: string): string[] {
  const { l10n } = vscode;
  const ownNode = l10n.t(
    "Node.js {0} or newer is not on the PATH, so this uses VS Code's own. If an update moves VS Code, connect the agent again.",
    OLDEST_NODE,
  );
  const untrusted = l10n.t('{0} starts MCP servers only in folders that you trust in {0}.', agent);
  const asksForTrust = agent === 'Gemini CLI' || agent === 'Qwen Code';
  return [...(isOwn ? [ownNode] : []), ...(asksForTrust ? [untrusted] : [])];
}
