/**
 * What is closed to agents whatever the settings say: files that hold passwords, tokens and private keys, the insides of
 * version control, where a written hook would run, and what editors keep in a home: their settings say what agents may do.
 */
const NAMES = [
  '\\.env.*',
  '.+\\.env',
  '\\.netrc|_netrc|\\.s3cfg|\\.boto|\\.dockercfg',
  '\\.npmrc|\\.pypirc|\\.yarnrc\\.yml',
  '\\.git-credentials|\\.gitcookies',
  '\\.pgpass|\\.my(login)?\\.cnf',
  '\\.htpasswd',
  '\\.vault-token|\\.terraformrc|terraform\\.rc',
  '.*\\.(pem|key|p8|p12|pfx|pkcs12|jks|jceks|keystore|kdbx|ppk|asc|gpg)',
  'id_(rsa|dsa|ecdsa|ed25519)(_sk)?',
  '(application_default_)?credentials(\\.(json|toml|ya?ml|ini|csv|tfrc\\.json))?',
  'client_secret.*\\.json|service[-_]account.*\\.json',
  'secrets?\\.(json|ya?ml|toml|env)',
  '.*\\.tfstate(\\.backup)?',
];

/** Names that look like a secret and are made to be shared. */
const SHARED =
  /^(\.env(\..+)?\.(example|sample|template|dist|defaults?|schema)|(example|sample|template)\.env|.*\.pub)$/i;

/** By `u` also for the few characters that some systems take for an ASCII letter in another case, such as `\u017f` for s. */
const SECRET_NAME = new RegExp(`^(${NAMES.join('|')})$`, 'iu');
const SECRET_FOLDER =
  /\/(\.git|\.hg|\.svn|\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.config\/(gcloud|gh)|\.password-store|\.workspace-mcp|\.(vscode|vscodium|cursor|windsurf)-(server|remote|oss|insiders|server-insiders|server-oss))\//iu;

/** @param path absolute, with `/` between the names */
export function isSecret(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (SECRET_FOLDER.test(`${path}/`)) return true;
  return SECRET_NAME.test(name) && !SHARED.test(name);
}
