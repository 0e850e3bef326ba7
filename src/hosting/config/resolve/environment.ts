import { posix, win32 } from 'node:path';
import { isWithin } from '../../../core/paths.ts';
import { environmentValue, type Folder } from './variables.ts';

/** What the MCP SDK's client passes on to a server: nothing that usually holds a secret. */
const INHERITED = {
  posix: ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'],
  win32: [
    ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT'],
    ...['PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMW6432'],
    ...['SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'USERNAME', 'USERPROFILE', 'WINDIR'],
  ],
};

/** How this machine reaches the network: without it, `npx` and `uvx` wait in vain behind the proxy of a company. */
const NETWORK = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE'],
];

interface EditorMachine {
  /** The editor's environment. */
  env: NodeJS.ProcessEnv;
  /** Absolute paths, from `findProgramDirectories`. */
  programDirectories: readonly string[];
  /** The workspace folders. */
  folders: readonly Folder[];
  platform: NodeJS.Platform;
}

/**
 * The environment of a hosted server: the safe part of the editor's, then the definition's own variables. `null` removes one.
 *
 * An editor that was started from the desktop often has a short PATH without `npx` or `uvx`. `programDirectories` are added at its
 * end, so that they are used only for programs that are not found otherwise. A PATH of the definition is used as it is.
 *
 * @param own variables of the definition; later entries win
 */
export function serverEnvironment(
  own: readonly (readonly [name: string, value: string | null])[],
  { env: editor, programDirectories, folders, platform }: EditorMachine,
): Record<string, string> {
  const isWindows = platform === 'win32';
  // Windows does not distinguish the case of names: two that differ in it only would be undefined behaviour.
  const keyOf = (name: string) => (isWindows ? name.toUpperCase() : name);
  const variables = new Map<string, [name: string, value: string]>();
  const network = isWindows ? NETWORK : NETWORK.flatMap((name) => [name, name.toLowerCase()]);
  for (const name of [...(isWindows ? INHERITED.win32 : INHERITED.posix), ...network]) {
    const value = environmentValue(editor, name, platform);
    // A function that bash exported.
    if (value !== undefined && !value.startsWith('()')) variables.set(name, [name, value]);
  }
  const { delimiter, isAbsolute } = isWindows ? win32 : posix;
  // A repository can put programs into its folders, as into the working directory, which other entries stand for.
  const isSafe = (path: string) =>
    isAbsolute(path) && !folders.some((folder) => isWithin(path, folder.path, platform));
  const directories = (variables.get('PATH')?.[1] ?? '').split(delimiter).filter(isSafe);
  variables.set('PATH', ['PATH', [...new Set([...directories, ...programDirectories])].join(delimiter)]);
  for (const [name, value] of own) {
    if (value === null) variables.delete(keyOf(name));
    else variables.set(keyOf(name), [name, value]);
  }
  return Object.fromEntries(variables.values());
}
