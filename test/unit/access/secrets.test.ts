import assert from 'node:assert/strict';
import { isSecret } from '../../../src/access/secrets.ts';

describe('access/secrets', () => {
  const secrets = [
    '.env .env.local .env.production .ENV .envrc .env-prod .env_old .env.bak prod.env staging.env',
    '.netrc .npmrc .pypirc .git-credentials .pgpass .htpasswd .vault-token',
    'server.pem tls.key store.jks id_rsa id_ed25519 id_ed25519_sk putty.ppk',
    'credentials credentials.json client_secret_42.json service-account.json secrets.yaml terraform.tfstate',
    '.git .git/config .git/hooks/pre-commit sub/.git/HEAD .ssh/known_hosts .aws/config .kube/config .gnupg/x .svn/entries',
    '.cargo/credentials.toml credentials.tfrc.json AuthKey.p8 .s3cfg .mylogin.cnf .config/gh/hosts.yml .password-store/x',
    '.config/gcloud/access_tokens.db .vscode-server/data/Machine/settings.json .cursor-server/data/x .vscode-insiders/y',
  ];
  for (const name of secrets.join(' ').split(' '))
    it(`closes ${name}`, () => assert.equal(isSecret(`/ws/${name}`), true));

  const shared =
    '.env.example example.env .env.local.example .env.sample id_rsa.pub environment.ts env.ts .gitignore .github/workflows/x.yml .vscode/settings.json .vscode-test/x keys.ts secrets.ts .gitattributes';
  for (const name of shared.split(' '))
    it(`leaves ${name} open`, () => assert.equal(isSecret(`/ws/${name}`), false));
});
