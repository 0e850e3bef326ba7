import assert from 'node:assert/strict';
import { closedBy, guardedBy, namesFolder } from '../../../src/access/protectedPaths.ts';

/** Makes a test of each of the names, which a comma divides where some have spaces. */
const each = (judge: (path: string) => unknown, isIn: boolean) => (names: string) => {
  for (const name of names.split(names.includes(',') ? /,\s+/ : /\s+/))
    it(`has ${isIn ? '' : 'no '}${name}`, () => assert.equal(judge(`/ws/${name}`) !== undefined, isIn));
};
const [closed, open] = [each(closedBy, true), each(closedBy, false)];
const [guarded, free] = [each(guardedBy, true), each(guardedBy, false)];

describe('access/protectedPaths: closed', () => {
  closed(`.env .env.local .env.production .ENV .envrc .env-prod .env_old .env.bak prod.env staging.env prod.env.bak prod.env~
    .netrc .npmrc .pypirc .git-credentials .pgpass .htpasswd .vault-token sub/.netrc .m2/settings.xml kubeconfig
    server.pem tls.key store.jks id_rsa id_ed25519 id_ed25519_sk putty.ppk id_rsa.bak id_ed25519.old ID_RSA.ORIG tls.key~
    credentials credentials.json client_secret_42.json service-account.json secrets.yaml terraform.tfstate terraform.tfstate.backup
    .git .git/config .git/hooks/pre-commit sub/.git/HEAD .ssh/known_hosts .aws/config .kube/config .gnupg/x .svn/entries
    .cargo/credentials.toml credentials.tfrc.json AuthKey.p8 .s3cfg .mylogin.cnf .config/gh/hosts.yml .password-store/x
    .config/gcloud/access_tokens.db .vscode-server/data/Machine/settings.json .cursor-server/data/x .vscode-insiders/y
    .claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json .config/github-copilot/hosts.json .docker/config.json
    .local/share/opencode/auth.json .dev.vars .dev.vars.production .\u017f\u017fh/x`);

  open(`.env.example example.env .env.local.example .env.sample id_rsa.pub environment.ts env.ts .gitignore .github/workflows/x.yml
    .vscode/settings.json .vscode-test/x keys.ts secrets.ts .gitattributes xid_rsa id_rsa.ts settings.xml auth.json pem`);

  closed(`.id_rsa.swp, .netrc.swo, .credentials.json.un~, .#id_rsa, #id_rsa#, ._id_rsa, .~lock.secrets.json#, id_rsa (copy),
    id_rsa (3rd copy), id_rsa - Copy (2), id_rsa copy 2, Copy of id_rsa, id_rsa副本, id_rsa - 副本, id_rsa（副本）, id_rsa.1,
    id_rsa-2024-05-01, id_rsa.~1~, id_rsa.bak.2, id_rsa.rej, credentials (1).json, credentials.bak.json,
    .claude.json.workspace-mcp-backup, credentials copy.json, secrets.local.yaml, secrets_1.yml.old,
    credentials_LOCAL_4711.json, prod.env.local, .git-credentials.lock, .npmrc.813297, server.pem.gz, .aws (copy)/credentials,
    .aws.bak/x, .git.old/config, tls.key.1, .m2/settings (1).xml, x.p12.bak, credentials.json___jb_tmp___,
    .docker (1)/config.json, id_ed25519.bak, .jj/repo/x, .bzr/x, .sl/x`);

  open(`credentials.test.ts, credentials.local.ts, secrets (1).ts, id_rsa.pub.bak, environment (copy).ts, old.ts,
    credentials.schema.json, copy of README.md, #main.c#, .main.c.swp, v1.2.json, new.json, lock.json, .env.local.example,
    secrets.example.yaml, package.lock, settings (1).xml, prod.env.ts`);

  it('comes to an end with hostile names', () => {
    for (const part of ['.', ' (', '-1', ' - ', '~', '._', '#', 'x.bak'])
      assert.equal(closedBy(`/ws/${part.repeat(20_000)}!`), undefined);
  });

  it('has what has a line break in its name', () => assert.ok(closedBy('/ws/.git/a\nb')));
});

describe('access/protectedPaths: asked for each time', () => {
  guarded(`.vscode/settings.json packages/a/.vscode/tasks.json a.code-workspace .devcontainer/devcontainer.json .devcontainer.json
    .mcp.json .claude/settings.local.json .Cursor/mcp.json .zed/settings.json .kiro/settings/mcp.json sub/mcp.json mcp_config.json
    .newtool/settings.local.json .newtool/deep/er/hooks.json .clinerules .aider.conf.yml .cursorrules .roo/mcp.json opencode.jsonc
    .github/hooks/a.json .github/agents/a.md .github/prompts/a.md .github/instructions/a.md .github/workflows/ci.yml
    .github/copilot-instructions.md CLAUDE.md sub/agents.md GEMINI.md .agents/x .openhands/x .githooks/pre-commit lefthook.yml
    lefthook.yaml .pre-commit-config.yaml package.json sub/package.json Makefile makefile vite.config.ts eslint.config.mjs
    webpack.prod.config.js vitest.config.mts karma.conf.js .eslintrc.cjs .vscode-test.mjs mise.toml .mise.local.toml
    .tool-versions .yarnrc .yarn/plugins/x.cjs .gdbinit .codex/config.toml .cargo/config.toml conftest.py .pylintrc pyproject.toml
    build.rs gulpfile.js Gruntfile.ts .storybook/main.ts .nycrc .swcrc bunfig.toml pnpm-workspace.yaml .pnp.cjs .overcommit.yml
    deno.json deno.jsonc composer.json .gitmodules WARP.md .rules setup.py tox.ini noxfile.py Rakefile Justfile Taskfile.yml Gemfile
    Dockerfile web.Dockerfile Dockerfile.dev docker-compose.prod.yml compose.yaml .gitlab-ci.yml .travis.yml Jenkinsfile
    Cargo.toml app.csproj build.gradle.kts CMakeLists.txt .flake8 phpstan.dist.neon .php-cs-fixer.dist.php .bashrc flake.nix
    node_modules/x/index.js rust-analyzer.toml gradle.properties .bazeliskrc .bazelversion
    package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb Pipfile Pipfile.lock poetry.lock uv.lock
    Cargo.lock sub/Gemfile.lock composer.lock requirements.txt requirements-dev.txt dev-requirements.txt requirements/base.in
    go.mod go.work uv.toml pip.conf NuGet.config nuget.config global.json .config/dotnet-tools.json MSBuild.rsp
    Directory.Build.rsp nodemon.json wrangler.toml netlify.toml moon.yml .moon/tasks.yml devbox.json devenv.nix Tiltfile Earthfile
    uno.config.ts vetur.config.js docusaurus.config.js eleventy.config.mjs .eleventy.js craco.config.js ember-cli-build.js
    drizzle.config.ts forge.config.js capacitor.config.ts .simple-git-hooks.cjs simple-git-hooks.json .huskyrc .huskyrc.js
    docs/conf.py docs/source/conf.py mkdocs.yml ansible.cfg .bundle/config renv/activate.R .ipython/profile_default/startup/x.py
    .jupyter/jupyter_server_config.py .config/git/config .config/git/hooks/pre-commit .config/git/attributes .hgrc .emacs
    .emacs.d/init.el .config/nvim/init.lua .vim/plugin/x.vim .config/autostart/x.desktop .config/systemd/user/x.service .xprofile
    .tmux.conf Library/LaunchAgents/x.plist scripts/hooks/pre-commit tools/post-index-change hooks/fsmonitor-watchman
    hooks/commit-msg.exe gitconfig .gitconfig.shared team.gitconfig`);

  free(`src/vscode/a.ts settings.json src/.hidden/a.json mcp.json.ts .vscode-test/a tsconfig.json a.code-workspace.md
    README.md app.config.ts package.json.md jsconfig.json .github/CODEOWNERS makefile.ts claude.ts tasks.ts project.json
    src/conf.py go.sum compose.ts src/lock.json x.lock requirements.md src/requirements/user.ts build.ts Cargo.toml.md docker.md
    turbo.ts configure.ts uno.ts emacs.md .config/app.json src/pre-commit.ts hooks/update post-push.md`);

  free('build/ workspace/ sub/BUILD/ tasks.py/ package.json/ requirements.txt/');

  guarded('.vscode/ .github/workflows/ .config/git/ gradle/wrapper/ node_modules/x/');

  it('names its folders', () => {
    const names = '.vscode .GitHub workflows .ssh systemd .config src .a build tasks.json'.split(' ');
    assert.deepEqual(names.filter(namesFolder), names.slice(0, 6));
  });
});
