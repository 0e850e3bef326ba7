import { posix, win32 } from 'node:path';
import { isWithin } from '../../../core/paths.ts';
import { environmentValue, type Folder, type Syntax } from './variables.ts';

/** What the MCP SDK's client passes on to a server, and other places and settings of the desktop: nothing that usually holds a secret. */
const INHERITED = {
  posix: [
    ...['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'COLORTERM', '__CF_USER_TEXT_ENCODING'],
    ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS'],
  ],
  win32: [
    ...['ALLUSERSPROFILE', 'APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT'],
    ...['COMMONPROGRAMFILES', 'COMMONPROGRAMFILES(X86)', 'COMMONPROGRAMW6432', 'PUBLIC'],
    ...['PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMW6432'],
    ...['SYSTEMDRIVE', 'SYSTEMROOT', 'USERNAME', 'USERPROFILE', 'WINDIR'],
  ],
};

/** Language, encoding, time zone and directories. Other names that start with `LC_` may be anything: SSH servers accept them all. */
const FAMILIES =
  /^(LANG|LANGUAGE|LC_(ALL|ADDRESS|COLLATE|CTYPE|IDENTIFICATION|MEASUREMENT|MESSAGES|MONETARY|NAME|NUMERIC|PAPER|TELEPHONE|TIME)|TZ|TMPDIR|TE?MP|XDG_(?!.*(TOKEN|COOKIE))\w+)$/;

/** What servers often need, and what is kept back all the same: it is or leads to a secret, or decides which code runs. */
const KEPT_BACK = [
  ...[
    'SSH_AUTH_SOCK',
    'SSH_AGENT_PID',
    'DOCKER_HOST',
    'DOCKER_CONTEXT',
    'DOCKER_CONFIG',
    'KUBECONFIG',
    'DATABASE_URL',
  ],
  ...['AWS_PROFILE', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
  ...['GOOGLE_APPLICATION_CREDENTIALS', 'AZURE_CONFIG_DIR', 'GH_TOKEN', 'GITHUB_TOKEN', 'GITLAB_TOKEN'],
  ...[
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'GEMINI_API_KEY',
    'NPM_TOKEN',
    'NPM_CONFIG_REGISTRY',
    'npm_config_registry',
  ],
  ...['UV_INDEX_URL', 'UV_DEFAULT_INDEX', 'PIP_INDEX_URL', 'NODE_OPTIONS', 'NODE_PATH', 'PYTHONPATH'],
  ...['VIRTUAL_ENV', 'CONDA_PREFIX', 'JAVA_HOME', 'GOPATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'],
];

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
  const { delimiter, isAbsolute } = isWindows ? win32 : posix;
  // A repository can put programs into its folders, as into the working directory, which other entries stand for.
  const isSafe = (path: string) =>
    isAbsolute(path) && !folders.some((folder) => isWithin(path, folder.path, platform));
  const network = isWindows ? NETWORK : NETWORK.flatMap((name) => [name, name.toLowerCase()]);
  const families = Object.keys(editor)
    .map(keyOf)
    .filter((name) => FAMILIES.test(name));
  for (const name of [...(isWindows ? INHERITED.win32 : INHERITED.posix), ...network, ...families]) {
    const value = environmentValue(editor, name, platform);
    if (value === undefined || value.startsWith('()')) continue; // a function that bash exported
    // Programs load configuration and code from there.
    if (/^XDG_.*_(HOME|DIRS?)$/.test(name) && !value.split(delimiter).every(isSafe)) continue;
    variables.set(name, [name, value]);
  }
  const directories = (variables.get('PATH')?.[1] ?? '').split(delimiter).filter(isSafe);
  variables.set('PATH', ['PATH', [...new Set([...directories, ...programDirectories])].join(delimiter)]);
  for (const [name, value] of own) {
    if (value === null) variables.delete(keyOf(name));
    else variables.set(keyOf(name), [name, value]);
  }
  return Object.fromEntries(variables.values());
}

/** Names the variables of the editor that servers often need, and that a server does not get. @param env of the server */
export function keptBackNote(
  env: NodeJS.ProcessEnv,
  { env: editor, platform }: Pick<EditorMachine, 'env' | 'platform'>,
  syntax: Syntax,
): string | undefined {
  const isIn = (where: NodeJS.ProcessEnv) => (name: string) =>
    environmentValue(where, name, platform) !== undefined;
  const [first, ...others] = KEPT_BACK.filter(isIn(editor)).filter((name) => !isIn(env)(name));
  if (first === undefined) return undefined;
  const reference = syntax === 'mcp.json' ? `env:${first}` : first;
  return `not passed on from the environment of VS Code: ${[first, ...others].join(', ')}. If the server needs one of them, add it to "env" of its definition: "${first}": "\${${reference}}"`;
}
