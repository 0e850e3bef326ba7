import { commandLine, shellOf } from '../../core/shell.ts';
import { allVisible } from '../../core/text/visible.ts';
import type { WindowRecord } from '../../ipc/windowRecord.ts';
import { pathOfFileUri, type WindowQuery } from './windowQuery.ts';

export const STOPPED =
  'The user has stopped the Workspace MCP server of the VS Code window. "Workspace MCP: Start Server" in it starts it again. This session then continues automatically.';

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
  const [reason, remedy] = reasonAndRemedy(query, open.length > 0);
  return [reason, ...problems.map(allVisible), listed, remedy].filter((line) => line !== '').join('\n');
}

function reasonAndRemedy(query: WindowQuery, isAnyOpen: boolean): [reason: string, remedy: string] {
  const { windowId, workspace, cwd, roots = [], before, platform } = query;
  const choose = 'pick one of these with the tool select_window (by call_tool if your list lacks it)';
  if (windowId !== undefined)
    return [
      `No open VS Code window has the id "${windowId}" (--window).`,
      isAnyOpen
        ? `Start the agent with the id of one of these, or ${choose}.`
        : 'Start the agent without --window, or with the id of an open window. A window gets another id with each workspace.',
    ];
  const orChoose = isAnyOpen ? `Or ${choose}.` : '';
  if (before?.isStopped) return [STOPPED, orChoose];
  if (before?.isSelected)
    return [
      'The selected VS Code window is closed.',
      `When it opens again, it is connected automatically. ${orChoose}`.trim(),
    ];
  const declared = roots.length > 0 ? ` or a root of the client (${allVisible(roots.join(', '))})` : '';
  const contained =
    workspace === undefined ? `${allVisible(cwd)}${declared}` : `${allVisible(workspace)} (--workspace)`;
  const directory = allVisible(workspace ?? roots[0] ?? cwd);
  const command = commandLine(['code', directory], shellOf('', platform));
  return [
    `No open VS Code window has a folder that contains ${contained}.`,
    `Open the folder in VS Code with the Workspace MCP extension (\`${command}\`)${isAnyOpen ? `, or ${choose}` : ''}. It is connected automatically. If it is already open, its status bar shows whether the server runs: "Workspace MCP: Start Server" starts it.`,
  ];
}

export const severalMessage = (several: readonly WindowRecord[], open: readonly WindowRecord[]): string =>
  [
    'Several VS Code windows match:',
    listOf(several),
    ...(open.length > several.length
      ? ['Other open windows:', listOf(open.filter((one) => !several.includes(one)))]
      : []),
    'Pick one with the tool select_window (by call_tool if your list lacks it; without a window it describes them), start the agent in the terminal of one, or start it with --window ID.',
  ].join('\n');

const listOf = (windows: readonly WindowRecord[]): string =>
  windows
    .toSorted((a, b) => b.focusedAt - a.focusedAt)
    .map((record) => `  ${record.id}  ${allVisible(record.ideName)}: ${foldersOf(record)}`)
    .join('\n');

/** The folders of a window on one line. */
export const foldersOf = ({ workspaceFolders }: WindowRecord): string =>
  workspaceFolders.map(({ uri }) => allVisible(pathOfFileUri(uri, process.platform) ?? uri)).join(', ') ||
  'no folder';
