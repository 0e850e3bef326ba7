import type { WindowRecord } from '../socket/windowRecord.ts';
import { Lines } from './lines.ts';
import { errorAnswer, readAgentLine } from './messages.ts';
import { pathOfFileUri } from './paths.ts';
import type { Agent } from './relay.ts';

/** What the person is told when there is no window for the agent: why, what is open instead, and what to do. */
export function noWindowMessage(reason: string, open: WindowRecord[], problems: string[]): string {
  const recent = open.toSorted((a, b) => b.focusedAt - a.focusedAt);
  const windows = recent.map((record) => `  ${record.id}  ${record.ideName}: ${foldersOf(record)}`);
  const [listed, orName] =
    open.length > 0
      ? [['Open windows:', ...windows], ', or name a window with --window ID']
      : [['No VS Code window on this machine has a running Workspace MCP server.'], ''];
  const remedy = `Open the folder in VS Code with the Workspace MCP extension${orName}, then reconnect this MCP server. If it is open, its status bar tells whether the server runs: "Workspace MCP: Start Server" starts it.`;
  return [reason, ...problems, ...listed, remedy].join('\n');
}

const foldersOf = ({ workspaceFolders }: WindowRecord): string =>
  workspaceFolders.map(({ uri }) => pathOfFileUri(uri, process.platform) ?? uri).join(', ') || 'no folder';

/**
 * Answers every request of the agent with the error, so that a client shows it instead of waiting. Resolves when the
 * agent has ended its input, or after `patience` milliseconds.
 */
export function answerWithError({ input, output }: Agent, message: string, patience: number): Promise<void> {
  return new Promise((resolve) => {
    const lines = new Lines((line) => {
      for (const { id } of readAgentLine(line).requests) output.write(errorAnswer(id, message));
    });
    const done = (): void => {
      clearTimeout(timer);
      input.off('data', onData).pause();
      if (lines.unfinished) lines.end();
      resolve();
    };
    const onData = (chunk: Buffer): void => lines.push(chunk);
    const timer = setTimeout(done, patience);
    input.on('data', onData).once('end', done).once('error', done);
    output.on('error', done);
  });
}
