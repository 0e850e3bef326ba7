/** Where clients find a window. @param path of the transport */
export const address = (port: number, path = 'mcp', scheme = 'http'): string =>
  `${scheme}://127.0.0.1:${port}/${path}`;

/** The same, with the folder, so that no client works in another window. */
export const folderAddress = (port: number, folder: string, path = 'mcp', scheme = 'http'): string =>
  address(port, `w/${encodeURIComponent(folder)}/${path}`, scheme);
