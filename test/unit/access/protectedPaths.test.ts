import assert from 'node:assert/strict';
import { closedPaths, guardedPaths } from '../../../src/access/protectedPaths.ts';

const each = (names: string, run: (path: string, name: string) => void) => {
  for (const name of names.split(/\s+/)) run(`/ws/${name}`, name);
};

describe('access/protectedPaths: closed', () => {
  each(
    `.env .env.local .env.production .ENV .envrc .env-prod .env_old .env.bak prod.env staging.env prod.env.bak prod.env~
    .netrc .npmrc .pypirc .git-credentials .pgpass .htpasswd .vault-token sub/.netrc .m2/settings.xml kubeconfig
    server.pem tls.key store.jks id_rsa id_ed25519 id_ed25519_sk putty.ppk id_rsa.bak id_ed25519.old ID_RSA.ORIG tls.key~
    credentials credentials.json client_secret_42.json service-account.json secrets.yaml terraform.tfstate terraform.tfstate.backup
    .git .git/config .git/hooks/pre-commit sub/.git/HEAD .ssh/known_hosts .aws/config .kube/config .gnupg/x .svn/entries
    .cargo/credentials.toml credentials.tfrc.json AuthKey.p8 .s3cfg .mylogin.cnf .config/gh/hosts.yml .password-store/x
    .config/gcloud/access_tokens.db .vscode-server/data/Machine/settings.json .cursor-server/data/x .vscode-insiders/y
    .claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json .config/github-copilot/hosts.json .docker/config.json
    .local/share/opencode/auth.json .\u017f\u017fh/x`,
    (path, name) => it(`has ${name}`, () => assert.ok(closedPaths.find(path))),
  );

  each(
    `.env.example example.env .env.local.example .env.sample id_rsa.pub environment.ts env.ts .gitignore .github/workflows/x.yml
    .vscode/settings.json .vscode-test/x keys.ts secrets.ts .gitattributes xid_rsa id_rsa.ts settings.xml auth.json pem`,
    (path, name) => it(`has no ${name}`, () => assert.equal(closedPaths.find(path), undefined)),
  );

  it('has what has a line break in its name', () => assert.ok(closedPaths.find('/ws/.git/a\nb')));
});

describe('access/protectedPaths: asked for each time', () => {
  each(
    `.vscode/settings.json packages/a/.vscode/tasks.json a.code-workspace .devcontainer/devcontainer.json .devcontainer.json
    .mcp.json .claude/settings.local.json .Cursor/mcp.json .zed/settings.json .kiro/settings/mcp.json sub/mcp.json mcp_config.json
    .newtool/settings.local.json .newtool/deep/er/hooks.json .clinerules .aider.conf.yml .cursorrules .roo/mcp.json opencode.jsonc
    .github/hooks/a.json .github/agents/a.md .github/prompts/a.md .github/instructions/a.md .github/workflows/ci.yml
    .github/copilot-instructions.md CLAUDE.md sub/agents.md GEMINI.md .agents/x .openhands/x .githooks/pre-commit lefthook.yml
    lefthook.yaml .pre-commit-config.yaml package.json sub/package.json Makefile makefile vite.config.ts eslint.config.mjs
    webpack.prod.config.js vitest.config.mts karma.conf.js .eslintrc.cjs .vscode-test.mjs mise.toml .mise.local.toml
    .tool-versions .yarnrc .yarn/plugins/x.cjs .gdbinit .codex/config.toml`,
    (path, name) => it(`has ${name}`, () => assert.ok(guardedPaths.find(path))),
  );

  each(
    `src/vscode/a.ts settings.json src/.hidden/a.json mcp.json.ts .vscode-test/a tsconfig.json a.code-workspace.md
    README.md app.config.ts package.json.md package-lock.json .github/CODEOWNERS makefile.ts claude.ts`,
    (path, name) => it(`has no ${name}`, () => assert.equal(guardedPaths.find(path), undefined)),
  );
});
