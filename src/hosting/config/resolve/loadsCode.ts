/**
 * Variables by which a program loads code, or finds, configures or downloads another program. The list cannot be complete: so the
 * names in an env file are part of the approval as well.
 */

/** Shells, the system's loader, and where programs find their configuration and each other. */
const SYSTEM =
  'path|pathext|psmodulepath|shell|comspec|env|ifs|cdpath|fpath|zdotdir|bash.*|shellopts|prompt_command|ps[0-4]|' +
  '_?(ld|dyld|rld)_.*|libpath|shlib_path|gconv_path|locpath|(gio|gtk|gst|qt|odbc)(_.*|ini|sysini|instini)|' +
  'home|homedrive|homepath|userprofile|appdata|localappdata|programdata|programfiles.*|systemroot|windir|xdg_.*|tmpdir|temp|tmp';

const JAVASCRIPT =
  'node_.*|(npm|pnpm|yarn|npx)_.*|corepack_.*|bun_.*|deno_.*|(nvm|volta|fnm|nodenv)_.*|ts_node_.*|tsx_.*|electron_.*|dotenv_config_.*';

const PYTHON =
  'python.*|pip_.*|pipx_.*|uv_.*|virtual_env|pyenv_.*|conda_.*|mamba_.*|poetry_.*|pdm_.*|hatch_.*|rye_.*';

const LANGUAGES =
  'perl.*|ruby.*|gem_.*|bundler?_.*|rbenv_.*|_?(java|jdk|jre|jvm)_.*|classpath|maven_.*|mvn_.*|gradle_.*|jbang_.*|' +
  'dotnet_.*|coreclr_.*|cor_.*|complus_.*|aspnetcore_hostingstartup.*|msbuild.*|nuget_.*|lua_.*|php.*|cargo_.*|rust.*|cgo_.*|' +
  'go(auth|bin|cache|cacheprog|env|flags|insecure|modcache|noproxy|nosumdb|packagesdriver|path|private|proxy|root|sumdb|tmpdir|toolchain|tooldir|vcs|work)|' +
  'r_(profile|environ|libs|home).*|julia_.*|erl_.*|elixir_.*|mix_.*|nix_.*|(asdf|mise|proto)_.*|cc|cxx|ld|make|makeflags|cmake_.*';

/** Programs that other programs start, and the certificates that downloads are checked by. */
const TOOLS =
  'git_.*|.*_askpass|docker_(host|config|context|cert_path|tls.*|content_trust.*)|compose_.*|container(s|_host).*|kubeconfig|helm_.*|' +
  'aws_(config_file|shared_credentials_file)|google_external_account_allow_executables|libmysql_plugin.*|' +
  '(git_|gh_|aws_|man_?)?(editor|visual|pager|browser)|lessopen|lessclose|.*_(executable|binary)(_path)?|chrome_(path|bin)|' +
  'openssl_.*|ssl_cert_.*|(requests|curl|aws)_ca_bundle|curl_home|wgetrc|magick_.*|android_(home|sdk_root)|playwright_browsers_path|puppeteer_cache_dir';

const LOADS_CODE = new RegExp(`^(${[SYSTEM, JAVASCRIPT, PYTHON, LANGUAGES, TOOLS].join('|')})$`, 'i');

/** Of these families, what servers usually are configured by. */
const HARMLESS = new RegExp(
  `^(${[
    '(node|bun|deno|python|go|ruby|rust|php|java|dotnet)_env(ironment)?',
    'node_(no_warnings|debug|port|host)|python(unbuffered|ioencoding|utf8|dontwritebytecode|hashseed|faulthandler|optimize)',
    'git_(author|committer)_.*|git_(terminal_prompt|branch|email|url|base_url|repo|repo_url|repository|username|user)',
    'rust_(log|backtrace)|dotnet_(nologo|cli_telemetry_optout)',
    '.*(token|secret|password|passwd|passphrase|api_?key|_pat|_auth)',
  ].join('|')})$`,
  'i',
);

/** Whether the value of a variable can make another program run. */
export const loadsCode = (name: string): boolean =>
  /^bash_func_/i.test(name) || (LOADS_CODE.test(name) && !HARMLESS.test(name));
