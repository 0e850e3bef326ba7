import type { WindowRecord } from '../../ipc/windowRecord.ts';

/** Where clients find a window. @param path of the transport */
export const address = (port: number, path = 'mcp', scheme = 'http'): string =>
  `${scheme}://127.0.0.1:${port}/${path}`;

/** The same, with the folder, so that no client works in another window. */
export const folderAddress = (port: number, folder: string, path = 'mcp', scheme = 'http'): string =>
  address(port, `w/${encodeURIComponent(folder)}/${path}`, scheme);

type Other = Pick<WindowRecord, 'httpPort' | 'workspaceFolders'>;

/** What the client of a folder is told by a window that does not have it. @param own names of the folders that it has */
export function elsewhere(
  folder: string,
  own: readonly string[],
  windows: readonly Other[],
): string | undefined {
  if (own.includes(folder)) return undefined;
  const other = windows.find(
    (one) => one.httpPort !== undefined && one.workspaceFolders.some(({ name }) => name === folder),
  );
  return other?.httpPort
    ? `The folder "${folder}" is open in another window: use ${folderAddress(other.httpPort, folder)}.`
    : `No window with HTTP has a folder "${folder}". Open the folder in VS Code, or use /mcp for this window.`;
}
