import { braceExpand } from 'minimatch';
import { originalsOf, PathTable } from './pathTable.ts';

const AGENTS =
  'agents,aider,amazonq,augment,claude,cline,clinerules,codex,continue,copilot,crush,cursor,devin,factory,gemini,goose,iflow,junie,kilocode,kiro,openhands,opencode,qwen,roo,trae,warp,windsurf';

const CODE = 'js,cjs,mjs,jsx,ts,cts,mts';

/** The reason for all Git directories, whatever their name. */
export const VERSION_CONTROL = 'Version control data, with hooks and settings that can run programs';

/** Always closed to agents, whatever the settings say. */
export const CLOSED = {
  [VERSION_CONTROL]: ['{.git,.hg,.jj,.sl,.svn,.bzr,.pijul,_darcs}/'],
  'Environment variables, often with passwords': [
    '.env*',
    '*.env',
    '.dev.vars{,.*}',
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
  'Credential files with common names': [
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
  'Tokens for package registries': [
    '.npmrc',
    '.pypirc',
    '.yarnrc.yml',
    '.gem/credentials',
    '.m2/{settings,settings-security}.xml',
    '.gradle/gradle.properties',
    '{.composer,.config/composer}/auth.json',
  ],
  'Passwords for databases and web servers': [
    '.pgpass',
    'pgpass.conf',
    '.my.cnf',
    '.mylogin.cnf',
    '.htpasswd',
  ],
  'Tokens for cloud services': [
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
  'Tokens for clusters and container registries': [
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
  'Data of editors and of this extension, which decides what agents may do': [
    '.workspace-mcp/',
    '.{vscode,vscodium,cursor,windsurf}-{server,remote,oss,insiders,server-insiders,server-oss}/',
  ],
};

/** Guarded: an agent could use an edit of these to get more access, or to run programs. */
export const GUARDED = {
  'Editor settings, tasks and dev containers': [
    '{.vscode,.idea,.zed,.devcontainer}/',
    '*.code-workspace',
    '.devcontainer.json',
  ],
  'Agent settings and MCP servers': [
    `.{${AGENTS}}/`,
    `.{${AGENTS}}{rules,.json,.yaml,.yml,.conf.yaml,.conf.yml}`,
    '{crush,opencode}.{json,jsonc}',
    '.config/{crush,goose,opencode}/',
    '{,.}mcp{,-config,_config,-servers,-settings,_settings}.json',
    '{claude_desktop_config,cline_mcp_settings}.json',
    '.*/**/{settings,permissions,hooks}{,.local}.{json,jsonc,toml,yaml,yml}',
  ],
  'Instructions for agents': [
    '{AGENT,AGENTS,CLAUDE,CODEX,COPILOT,CRUSH,GEMINI,IFLOW,OPENCODE,QWEN,REPLIT,WARP}{,.local,.override}.md',
    'SKILL.md',
    '.rules',
    'copilot-instructions.md',
    '*.{instructions,prompt,chatmode}.md',
    '.github/{agents,chatmodes,hooks,instructions,prompts,skills}/',
    '.goosehints',
    '.roomodes',
  ],
  'CI pipelines, which can use secrets of the repository': [
    '.{github,gitea,forgejo}/{actions,workflows}/',
    '.{circleci,buildkite,teamcity}/',
    '.{gitlab-ci,travis,drone,cirrus,appveyor,woodpecker}{,.*}.{yml,yaml}',
    '{appveyor,azure-pipelines,bitbucket-pipelines,cloudbuild,buildspec}{,.*}.{yml,yaml}',
    'Jenkinsfile{,.*}',
  ],
  'Git hooks and configuration': [
    '{.githooks,.husky,.config/git}/',
    '{,.}lefthook{,-local}.{yml,yaml,toml,json}',
    '.pre-commit-config.{yaml,yml}',
    '.pre-commit-hooks.yaml',
    '.overcommit.yml',
    `{,.}simple-git-hooks.{json,${CODE}}`,
    '.huskyrc{,.*}',
    '{applypatch-msg,commit-msg,fsmonitor-watchman,prepare-commit-msg,push-to-checkout,reference-transaction,sendemail-validate}{,.exe}',
    '{pre,post}-{applypatch,auto-gc,checkout,commit,index-change,merge,merge-commit,push,rebase,receive,rewrite,update}{,.exe}',
    '{,.}gitconfig{,.*}',
    '*.gitconfig',
    '{.hgrc,.gitmodules}',
  ],
  'Scripts, package manifests and task runners': [
    'package.json',
    'node_modules/',
    '.yarnrc*',
    '.pnpmfile.{cjs,mjs}',
    'pnpm-workspace.yaml',
    '.pnp.{cjs,js,loader.mjs}',
    '.yarn/{plugins,releases}/',
    '{deno.json,deno.jsonc,bunfig.toml,composer.json,lerna.json,nx.json,nodemon.json}',
    '{Gemfile,Podfile,Fastfile,Dangerfile,Guardfile,Brewfile,Procfile,Vagrantfile,*.gemspec}',
    '{setup.py,setup.cfg,pyproject.toml,noxfile.py,fabfile.py,tasks.py,Pipfile,uv.toml,pip.conf,pip.ini}',
    '*requirements*.{txt,in}',
    'requirements/*.{txt,in}',
    '{.bundle/config,renv/activate.R,ansible.cfg}',
    '{Tiltfile,Earthfile,moon.yml,devbox.json,devenv.nix,devenv.yaml,netlify.toml,wrangler.toml,wrangler.json,wrangler.jsonc}',
    '.moon/',
    '{makefile,GNUmakefile,*.mk}',
    '{,.}justfile',
    '{taskfile,Taskfile.dist}.{yml,yaml}',
    '{Rakefile,Jakefile,*.rake}{,.*}',
    `{gulpfile,Gruntfile}{,.*}.{${CODE},coffee}`,
  ],
  'Lock files, which decide what is installed': [
    '{package-lock,npm-shrinkwrap,packages.lock}.json',
    '{bun,Cargo,composer,deno,devbox,devenv,flake,Gemfile,mix,pdm,Pipfile,pixi,Podfile,poetry,uv,yarn}.lock',
    '{pnpm-lock.yaml,bun.lockb,Package.resolved,gradle.lockfile}',
  ],
  'Build files, which language servers also run': [
    '{Cargo.toml,.cargo/config,.cargo/config.toml,build.rs}',
    'rust-toolchain{,.toml}',
    '{CMakeLists.txt,CMakePresets.json,CMakeUserPresets.json,*.cmake,meson.build,configure.ac}',
    '{build,settings,init}.gradle{,.kts}',
    'gradlew{,.bat}',
    'mvnw{,.cmd}',
    'gradle/wrapper/',
    '.mvn/',
    '{pom.xml,build.xml,build.sbt,build.sc,project/*.sbt}',
    '*.{csproj,fsproj,vbproj,vcxproj,props,targets,sln,slnx}',
    '{BUILD,WORKSPACE}{,.bazel}',
    '{MODULE.bazel,.bazelrc,*.bzl}',
    '{,.}rust-analyzer.toml',
    'gradle.properties',
    '.bazel{version,iskrc}',
    '{Package.swift,build.zig,build.zig.zon,mix.exs,rebar.config,Setup.hs,hie.yaml,*.cabal,SConstruct,SConscript,wscript}',
    '{flake,default,shell}.nix',
    'go.{mod,work}',
    '{global.json,NuGet.config,.config/dotnet-tools.json,{MSBuild,Directory.Build}.rsp}',
  ],
  'Container images and compose files': [
    '{Dockerfile,Containerfile}{,.*}',
    '*.{dockerfile,containerfile}',
    '{docker-compose,compose}{,.*}.{yml,yaml}',
    'docker-bake{,.*}.{hcl,json}',
  ],
  'Configuration of linters, formatters, test runners and bundlers, which run it as code': [
    `{astro,ava,babel,biome,capacitor,commitlint,craco,cypress,docusaurus,drizzle,eleventy,esbuild,eslint,forge,jest,karma,knip,lint-staged,metro,mocha,next,nuxt,oxlint,playwright,postcss,prettier,release,remix,rolldown,rollup,rsbuild,rspack,stylelint,svelte,tailwind,tsdown,tsup,turbo,unbuild,uno,vetur,vite,vitest,vue,wdio,webpack}{,.*}.{config,conf}{,.*}.{${CODE}}`,
    '.{babel,c8,commitlint,eslint,jscpd,lintstaged,mocha,nyc,parcel,prettier,release,stylelint,swc}rc{,.*}',
    `vitest.workspace.{${CODE}}`,
    `{gatsby-config,gatsby-node,ember-cli-build,.eleventy,.dependency-cruiser,.markdownlint-cli2}.{${CODE}}`,
    '{angular,turbo}.json',
    '.storybook/',
    '.vscode-test.*',
    '{conftest.py,pytest.ini,.pytest.ini,tox.ini,sitecustomize.py,usercustomize.py}',
    '{.pylintrc,pylintrc,.pylintrc.toml,pylintrc.toml,.flake8,mypy.ini,.mypy.ini,.coveragerc,.sqlfluff}',
    '{.rspec,.rubocop.yml,.solargraph.yml,.luarc.json,.luarc.jsonc,.golangci.yml,.golangci.yaml}',
    '{phpunit,phpcs,psalm}.xml{,.dist}',
    'phpstan{,.*}.neon{,.dist}',
    '{.php-cs-fixer{,.dist},rector}.php',
    '{mkdocs.yml,mkdocs.yaml,{doc,docs}/conf.py,{doc,docs}/source/conf.py}',
  ],
  'Startup files of shells, editors, debuggers, desktops and version managers': [
    '{,.}mise{,.*}.toml',
    '{.mise,.config/mise}/',
    '.config/mise.toml',
    '.tool-versions',
    '{.gdbinit,.lldbinit,.pdbrc}',
    '{.exrc,.vimrc,.nvimrc,.nvim.lua,.dir-locals.el,.emacs}',
    '{.vim,.emacs.d,.config/nvim,.config/emacs}/',
    '{.ipython,.jupyter}/',
    '.{bash,zsh,ksh,csh,tcsh,xonsh,ir,pry}rc',
    '.{bash_profile,bash_login,bash_logout,bash_aliases,profile,zshenv,zprofile,zlogin,inputrc,Rprofile,ghci}',
    '.{xprofile,xinitrc,xsession,xsessionrc,tmux.conf,screenrc}',
    '.config/{autostart,environment.d,fish,powershell,systemd,tmux}/',
    'Library/LaunchAgents/',
  ],
};

export type Reason = keyof typeof CLOSED | keyof typeof GUARDED;

const closedPaths = new PathTable(CLOSED);
const guardedPaths = new PathTable(GUARDED);

/** Why a path is closed; copies of secrets are closed too. @param path absolute, with `/` as separator */
export function closedBy(path: string): Reason | undefined {
  for (const name of [path, ...originalsOf(path)]) {
    const reason = closedPaths.find(name);
    if (reason) return reason;
  }
  return undefined;
}

/** Why a path is guarded. @param path absolute, with `/` as separator, and one at the end if it is a folder */
export const guardedBy = (path: string): Reason | undefined => guardedPaths.find(path);

/** Names of folders in the tables, in lower case. */
const folderNames = new Set(
  [CLOSED, GUARDED]
    .flatMap((table) => Object.values<readonly string[]>(table).flat())
    .filter((glob) => glob.includes('/'))
    .flatMap((glob) => braceExpand(glob.toLowerCase()))
    .flatMap((glob) => glob.split('/').slice(0, -1))
    .filter((name) => !name.includes('*')),
);

/** Whether a table has a folder of this name, by which files in it are closed or guarded. */
export const namesFolder = (name: string): boolean => folderNames.has(name.toLowerCase());
