import { PathTable } from './pathTable.ts';

const AGENTS =
  'agents,aider,amazonq,augment,claude,cline,clinerules,codex,continue,copilot,crush,cursor,factory,gemini,goose,junie,kilocode,kiro,openhands,opencode,qwen,roo,trae,windsurf';

const SCRIPT = '{js,cjs,mjs,jsx,ts,cts,mts}';

/** Endings of copies that editors and people make. A copy of a secret is one. */
const COPY = '{,~,.bak,.backup,.copy,.old,.orig,.save,.swp,.tmp}';

/** Of all of a Git directory, whatever it is called. */
export const VERSION_CONTROL = 'Version control: a hook or a setting written there would run';

/** Closed to agents, whatever the settings say. */
export const CLOSED = {
  [VERSION_CONTROL]: ['.git/', '.hg/', '.svn/'],
  'Environment variables, often with passwords': [
    '.env*',
    '*.env',
    '!.env{,.*}.{example,sample,template,dist,default,defaults,schema}',
    '!{example,sample,template}.env',
  ],
  'Private keys and key stores': [
    '*.{pem,key,p8,p12,pfx,pkcs12,jks,jceks,keystore,kdbx,ppk,asc,gpg}',
    'id_{rsa,dsa,ecdsa,ed25519}{,_sk}',
    '.ssh/',
    '.gnupg/',
    '.password-store/',
  ],
  'Credentials by the usual names': [
    '{application_default_,}credentials{,.json,.toml,.yaml,.yml,.ini,.csv,.tfrc.json}',
    'client_secret*.json',
    'service{,-,_}account*.json',
    '{secret,secrets}.{json,yaml,yml,toml,env}',
  ],
  'Passwords for Git and other network programs': [
    '.netrc',
    '_netrc',
    '.git-credentials',
    '.gitcookies',
    '.config/git/credentials',
  ],
  'Tokens of package registries': [
    '.npmrc',
    '.pypirc',
    '.yarnrc.yml',
    '.gem/credentials',
    '.m2/{settings,settings-security}.xml',
    '.gradle/gradle.properties',
    '{.composer,.config/composer}/auth.json',
  ],
  'Passwords of databases and web servers': [
    '.pgpass',
    'pgpass.conf',
    '.my.cnf',
    '.mylogin.cnf',
    '.htpasswd',
  ],
  'Tokens of cloud services': [
    '.aws/',
    '.azure/',
    '.oci/',
    '.config/{gcloud,gh,doctl,hcloud,glab-cli,configstore,netlify,rclone}/',
    '{.fly,.config/fly}/config.yml',
    '{.wrangler,.config/.wrangler}/config/',
    '.s3cfg',
    '.boto',
    '.terraformrc',
    'terraform.rc',
    '*.tfstate',
    '.vault-token',
  ],
  'Tokens of clusters and container registries': [
    '.kube/',
    'kubeconfig{,.json,.yaml,.yml}',
    '*.kubeconfig',
    '.docker/',
    '.dockercfg',
    'containers/auth.json',
  ],
  'Credentials of agents': [
    '.claude/.credentials.json',
    '.claude.json',
    '{.codex,opencode}/auth.json',
    '{.gemini,.qwen}/{oauth_creds,google_accounts,mcp-oauth-tokens}.json',
    'github-copilot/*.json',
  ],
  'Data of editors and of this extension: it says what agents may do': [
    '.workspace-mcp/',
    '.{vscode,vscodium,cursor,windsurf}-{server,remote,oss,insiders,server-insiders,server-oss}/',
  ],
};

/** An edit is asked for each time, whatever else is allowed: with it an agent could give itself what it was not given. */
export const GUARDED = {
  'Settings, tasks and containers of editors': [
    '{.vscode,.idea,.zed,.devcontainer}/',
    '*.code-workspace',
    '.devcontainer.json',
  ],
  'Settings and MCP servers of agents': [
    `.{${AGENTS}}/`,
    `.{${AGENTS}}{rules,.json,.yaml,.yml,.conf.yaml,.conf.yml}`,
    '{crush,opencode}.{json,jsonc}',
    '.config/{crush,goose,opencode}/',
    '{,.}mcp{,-config,_config,-servers,-settings,_settings}.json',
    '{claude_desktop_config,cline_mcp_settings}.json',
    '.*/**/{settings,permissions,hooks}{,.local}.{json,jsonc,toml,yaml,yml}',
  ],
  'What agents are told': [
    '{AGENT,AGENTS,CLAUDE,GEMINI,QWEN}{,.local,.override}.md',
    'copilot-instructions.md',
    '*.{instructions,prompt,chatmode}.md',
    '.github/{agents,chatmodes,hooks,instructions,prompts,skills}/',
    '.goosehints',
    '.roomodes',
  ],
  'What runs for the repository elsewhere, with its secrets': [
    '.github/{actions,workflows}/',
    '.gitlab-ci.yml',
    '.circleci/',
  ],
  'What Git runs': [
    '{.githooks,.husky}/',
    '{,.}lefthook{,-local}.{yml,yaml,toml,json}',
    '.pre-commit-config.{yaml,yml}',
    '.pre-commit-hooks.yaml',
    '.gitconfig',
  ],
  'Scripts and what package managers run': [
    'package.json',
    '.yarnrc*',
    '.pnpmfile.{cjs,mjs}',
    '.yarn/{plugins,releases}/',
    'makefile',
    'GNUmakefile',
    '*.mk',
    '{,.}justfile',
    'taskfile.{yml,yaml}',
  ],
  'Linters, formatters, test runners and bundlers, which run it as a program': [
    `{astro,ava,babel,biome,commitlint,cypress,esbuild,eslint,jest,karma,knip,lint-staged,metro,mocha,next,nuxt,oxlint,playwright,postcss,prettier,release,remix,rolldown,rollup,rsbuild,rspack,stylelint,svelte,tailwind,tsdown,tsup,turbo,unbuild,vite,vitest,wdio,webpack}{,.*}.{config,conf}{,.*}.${SCRIPT}`,
    `.{babel,commitlint,eslint,lintstaged,mocha,prettier,stylelint}rc{,.*}`,
    `vitest.workspace.${SCRIPT}`,
    '.vscode-test.*',
  ],
  'What shells, debuggers and version managers run in the folder': [
    '{,.}mise{,.*}.toml',
    '{.mise,.config/mise}/',
    '.config/mise.toml',
    '.tool-versions',
    '{.gdbinit,.lldbinit}',
    '{.exrc,.vimrc,.nvimrc,.nvim.lua,.dir-locals.el}',
  ],
};

export type Reason = keyof typeof CLOSED | keyof typeof GUARDED;

export const closedPaths = new PathTable(CLOSED, COPY);
export const guardedPaths = new PathTable(GUARDED);
