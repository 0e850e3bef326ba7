/**
 * Variables by which a program loads code, or finds, configures or downloads another program. Too many are better than too few: their
 * values are shown, and the user is asked again when one changes.
 */

/** How their names begin. */
const FAMILIES = [
  'bash|_?(ld|dyld|rld)_|xdg_|gio_|gtk_|gst_|qt_|openssl_|ssl_cert|program|systemroot|aspnetcore_hostingstartup',
  'node|npm_|pnpm_|yarn_|npx_|corepack_|bun_|deno_|nvm_|volta_|fnm_|ts_node_|tsx_|electron_|dotenv_config_|prisma_',
  'python|pip_|pipx_|uv_|virtual_env|pyenv_|conda_|mamba_|poetry_|pdm_|hatch_|rye_|pyspark_|pytest_|jupyter_|ipython|mpl',
  'perl|ruby|gem_|bundler?_|rbenv_|php|lua_|_?(java|jdk|jre|jvm)_|maven_|mvn_|gradle_|jbang_|r_|julia_|erl_|elixir_|mix_',
  'dotnet_|coreclr_|cor_|complus_|msbuild|nuget_|cargo_|rust|cgo_|go(?!ogle)|cmake_|make|nix_|asdf_|mise_|proto_',
  'git_|less|docker_|compose_|containers?_|kube|helm_|ansible_|tf_cli_|cloudsdk_|magick_|libmysql_plugin',
];

/** How they end. */
const ENDINGS = [
  'path|pathext|dir|home|profile|_config_file|_credentials_file|odbc\\w*ini|rc|init|_root|_startup|_hooks?|_plugins?',
  'flags|opts|options|_args|_command|_rsh|_ssh|askpass|shell|editor|visual|pager|browser|_bin|_binary|_library|_executables?|_ca_bundle',
];

const NAMES = 'env|ifs|ps[0-4]|comspec|homedrive|(local)?appdata|te?mp|cc|cxx|ld';

const LOADS_CODE = new RegExp(`^(${FAMILIES.join('|')})|(${ENDINGS.join('|')})$|^(${NAMES})$`, 'i');

const SECRET = /(token|secret|password|passwd|passphrase|key|_pass|_pat|_auth)$/i;

/** Whether the value of a variable can make another program run. */
export const loadsCode = (name: string): boolean => LOADS_CODE.test(name) && !SECRET.test(name);

/** What the user sees of a variable, and approves: `NAME`, or `NAME=value` if the value can make another program run. */
export const shownVariable = (name: string, value: unknown): string =>
  loadsCode(name) ? `${name}=${value}` : name;
