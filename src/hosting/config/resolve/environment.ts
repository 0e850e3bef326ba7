import { readdir, stat } from 'node:fs/promises';
import { join, posix, win32 } from 'node:path';
import { isWithin } from '../../../core/paths.ts';
import { environmentValue, type Folder, type Syntax } from './variables.ts';

/** The words of a text. */
const namesIn = (text: string): string[] => text.trim().split(/\s+/);

/** What the MCP SDK's client passes on to a server, and other places and settings of the desktop: nothing that usually holds a secret. */
const INHERITED = {
  posix: namesIn(`
    HOME LOGNAME PATH SHELL TERM USER COLORTERM __CF_USER_TEXT_ENCODING DISPLAY WAYLAND_DISPLAY XAUTHORITY
    DBUS_SESSION_BUS_ADDRESS`),
  win32: namesIn(`
    ALLUSERSPROFILE APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT COMMONPROGRAMFILES
    COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432 PUBLIC PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES
    PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT USERNAME USERPROFILE WINDIR`),
};

/** Language, encoding, time zone and directories. Other names that start with `LC_` may be anything: SSH servers accept them all. */
const INHERITED_FAMILIES =
  /^(LANG|LANGUAGE|LC_(ALL|ADDRESS|COLLATE|CTYPE|IDENTIFICATION|MEASUREMENT|MESSAGES|MONETARY|NAME|NUMERIC|PAPER|TELEPHONE|TIME)|TZ|TMPDIR|TE?MP|XDG_(?!.*(TOKEN|COOKIE))\w+)$/;

/** What servers often need, and what is kept back all the same: it is or leads to a secret, or decides which code runs. */
const KEPT_BACK = namesIn(`
  SSH_AUTH_SOCK SSH_AGENT_PID DOCKER_HOST DOCKER_CONTEXT DOCKER_CONFIG KUBECONFIG AWS_PROFILE AWS_REGION
  AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN GOOGLE_APPLICATION_CREDENTIALS AZURE_CONFIG_DIR
  GH_TOKEN GITHUB_TOKEN GITLAB_TOKEN DATABASE_URL ANTHROPIC_API_KEY OPENAI_API_KEY GEMINI_API_KEY NPM_TOKEN
  NPM_CONFIG_REGISTRY npm_config_registry UV_INDEX_URL UV_DEFAULT_INDEX PIP_INDEX_URL NODE_OPTIONS NODE_PATH
  PYTHONPATH VIRTUAL_ENV CONDA_PREFIX JAVA_HOME GOPATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH`);

/** How this machine reaches the network: without it, `npx` and `uvx` wait in vain behind the proxy of a company. */
const NETWORK = namesIn(`
  HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR
  REQUESTS_CA_BUNDLE`);

interface EditorMachine {
  env: NodeJS.ProcessEnv;
  /** Absolute paths, from `findProgramDirectories`. */
  programDirectories: readonly string[];
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
    .filter((name) => INHERITED_FAMILIES.test(name));
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

/**
 * Variables by which a program loads code, or finds, configures or downloads another program. Too many are better than too few: their
 * values are shown, and the user is asked again when one changes.
 */

/** How their names begin. */
const CODE_FAMILIES = [
  'bash|_?(ld|dyld|rld)_|xdg_|gio_|gtk_|gst_|qt_|openssl_|ssl_cert|program|systemroot|aspnetcore_hostingstartup',
  'node|npm_|pnpm_|yarn_|npx_|corepack_|bun_|deno_|nvm_|volta_|fnm_|ts_node_|tsx_|electron_|dotenv_config_|prisma_',
  'python|pip_|pipx_|uv_|virtual_env|pyenv_|conda_|mamba_|poetry_|pdm_|hatch_|rye_|pyspark_|pytest_|jupyter_|ipython|mpl',
  'perl|ruby|gem_|bundler?_|rbenv_|php|lua_|_?(java|jdk|jre|jvm)_|maven_|mvn_|gradle_|jbang_|r_|julia_|erl_|elixir_|mix_',
  'dotnet_|coreclr_|cor_|complus_|msbuild|nuget_|cargo_|rust|cgo_|go(?!ogle)|cmake_|make|nix_|asdf_|mise_|proto_',
  'git_|less|docker_|compose_|containers?_|kube|helm_|ansible_|tf_cli_|cloudsdk_|magick_|libmysql_plugin',
];

/** How they end. */
const CODE_ENDINGS = [
  'path|pathext|dir|home|profile|_config_file|_credentials_file|odbc\\w*ini|rc|init|_root|_startup|_hooks?|_plugins?',
  'flags|opts|options|_args|_command|_rsh|_ssh|askpass|shell|editor|visual|pager|browser|_bin|_binary|_library|_executables?|_ca_bundle',
];

const CODE_NAMES = 'env|ifs|ps[0-4]|comspec|homedrive|(local)?appdata|te?mp|cc|cxx|ld';

const LOADS_CODE = new RegExp(
  `^(${CODE_FAMILIES.join('|')})|(${CODE_ENDINGS.join('|')})$|^(${CODE_NAMES})$`,
  'i',
);

const SECRET_NAMES = /(token|secret|password|passwd|passphrase|key|_pass|_pat|_auth)$/i;

/** Whether the value of a variable can make another program run. */
export const loadsCode = (name: string): boolean => LOADS_CODE.test(name) && !SECRET_NAMES.test(name);

/** What the user sees of a variable, and approves: `NAME`, or `NAME=value` if the value can make another program run. */
export const shownVariable = (name: string, value: unknown): string =>
  loadsCode(name) ? `${name}=${value}` : name;

/** Where package managers and version managers put `node`, `npx`, `uvx`, `docker`, `deno` and `bun`; from the home directory. */
const HOME_DIRECTORIES = [
  'Library/Application Support/fnm/aliases/default/bin',
  ...namesIn(`.local/bin .volta/bin .local/share/fnm/aliases/default/bin .asdf/shims .local/share/mise/shims
  .cargo/bin .deno/bin .bun/bin`),
];
const SYSTEM_DIRECTORIES = ['/opt/homebrew/bin', '/usr/local/bin', '/snap/bin', '/usr/bin', '/bin'];
const NVM_DIRECTORY = '.nvm/versions/node';

/**
 * The directories of this machine that a login shell usually has on its PATH, most likely first. Empty on Windows, where programs
 * from the desktop have the same PATH as those from a shell.
 *
 * @param home absolute path
 */
export async function findProgramDirectories(home: string, platform: NodeJS.Platform): Promise<string[]> {
  if (platform === 'win32') return [];
  const versions = await readdir(join(home, NVM_DIRECTORY)).catch(() => []);
  const newest = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  const candidates = [
    ...(newest ? [join(home, NVM_DIRECTORY, newest, 'bin')] : []),
    ...HOME_DIRECTORIES.map((directory) => join(home, directory)),
    ...SYSTEM_DIRECTORIES,
  ];
  const found = await Promise.all(candidates.map((path) => stat(path).catch(() => undefined)));
  return candidates.filter((_, index) => found[index]?.isDirectory());
}
