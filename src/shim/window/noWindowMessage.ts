import { commandLine, shellOf } from '../../core/shell.ts';
import { allVisible } from '../../core/text/escapeInvisible.ts';
import type { WindowRecord } from '../../ipc/windowRecord.ts';
import { STOPPED } from '../agentMessages.ts';
import { pathOfFileUri } from './fileUris.ts';
import type { WindowQuery } from './windowQuery.ts';

/** Text for an agent without a window: why, which windows are open, and what to do. */
export function noWindowMessage(
  query: WindowQuery,
  open: readonly WindowRecord[],
  problems: string[],
): string {
  const listed =
    open.length > 0
      ? `Open windows:\n${listOf(open)}`
      : `No ${problems.length > 0 ? 'other ' : ''}VS Code window on this machine has a running Workspace MCP server.`;
  return [reasonOf(query), ...problems.map(allVisible), listed, remedyOf(query, open.length > 0)]
    .filter((line) => line !== '')
    .join('\n');
}

function remedyOf(query: WindowQuery, isAnyOpen: boolean): string {
  const { windowId, workspace, cwd, roots, before, platform } = query;
  const choose = 'pick one of these with the tool select_window';
  if (windowId !== undefined)
    return isAnyOpen
      ? `Start the agent with the id of one of these, or ${choose}.`
      : 'Start the agent without --window, or with the id of an open window. A window gets another id with each workspace.';
  if (before?.isStopped) return isAnyOpen ? `Or ${choose}.` : '';
  if (before?.isSelected)
    return `When it opens again, it is connected automatically.${isAnyOpen ? ` Or ${choose}.` : ''}`;
  const directory = allVisible(workspace ?? roots?.[0] ?? cwd);
  const command = commandLine(['code', directory], shellOf('', platform));
  return `Open the folder in VS Code with the Workspace MCP extension (\`${command}\`)${isAnyOpen ? `, or ${choose}` : ''}. It is connected automatically. If it is already open, its status bar shows whether the server runs: "Workspace MCP: Start Server" starts it.`;
}

/** The same if several windows match. */
export const severalMessage = (several: readonly WindowRecord[], open: readonly WindowRecord[]): string =>
  [
    'Several VS Code windows match:',
    listOf(several),
    ...(open.length > several.length
      ? ['Other open windows:', listOf(open.filter((one) => !several.includes(one)))]
      : []),
    'Pick one with the tool select_window (list_windows describes them), start the agent in the terminal of one, or start it with --window ID.',
  ].join('\n');

function reasonOf({ windowId, workspace, before, cwd, roots = [] }: WindowQuery): string {
  if (windowId !== undefined) return `No open VS Code window has the id "${windowId}" (--window).`;
  if (workspace !== undefined)
    return `No open VS Code window has a folder that contains ${allVisible(workspace)} (--workspace).`;
  if (before?.isStopped) return STOPPED;
  if (before?.isSelected) return 'The selected VS Code window is closed.';
  const declared = roots.length > 0 ? ` or a root of the client (${allVisible(roots.join(', '))})` : '';
  return `No open VS Code window has a folder that contains ${allVisible(cwd)}${declared}.`;
}

const listOf = (windows: readonly WindowRecord[]): string =>
  windows
    .toSorted((a, b) => b.focusedAt - a.focusedAt)
    .map((record) => `  ${record.id}  ${allVisible(record.ideName)}: ${foldersOf(record)}`)
    .join('\n');

/** The folders of a window on one line. */
export const foldersOf = ({ workspaceFolders }: WindowRecord): string =>
  workspaceFolders.map(({ uri }) => allVisible(pathOfFileUri(uri, process.platform) ?? uri)).join(', ') ||
  'no folder';
