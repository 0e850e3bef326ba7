// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { UserError } from '../../../../../src/core/errors.ts';
import type { ServerInput } from '../../../../../src/hosting/config/definition.ts';
import { parseDefinition } from '../../../../../src/hosting/config/parseDefinition.ts';
import {
  inputKey,
  type LaunchMachine,
  resolveLaunch,
  secretTexts,
} from '../../../../../src/hosting/config/resolve/resolveLaunch.ts';
import type { Syntax } from '../../../../../src/hosting/config/resolve/variables.ts';
import { english } from '../../english.ts';

const KEY = '["file:///ws/web","s"]';
const SECRET = 'pa55word';

const machine: LaunchMachine = {
  appRoot: '/no/code',
  folder: { name: 'web', path: '/ws/web' },
  folders: [{ name: 'web', path: '/ws/web' }],
  home: '/home/me',
  directory: '/ws/web',
  env: {
    PATH: '/ws/web/node_modules/.bin:/usr/bin::./bin:/bin',
    HOME: '/home/me',
    AWS_SECRET: SECRET,
    TERM: '() { :; }',
    BAD: `${SECRET}\n\0`,
    https_proxy: 'http://proxy:3128',
  },
  platform: 'linux',
  l10n: english,
  programDirectories: ['/bin', '/home/me/.volta/bin'],
  shim: '/opt/state/shim.js',
  secrets: { get: async (key) => (key === inputKey(KEY, 'token') ? SECRET : undefined) },
  readEnvFile: async (path) => {
    if (path.startsWith('/x')) throw new UserError(`envFile: ${path} does not exist.`);
    return path === '/ws/web/.env' ? `# c\nA='file a'\nexport B="${SECRET}"` : `C=${SECRET}\0`;
  },
};

function resolved(definition: object, more: Partial<LaunchMachine> = {}, syntax: Syntax = 'mcp.json') {
  const parsed = parseDefinition(definition, 'file', english);
  assert.ok('definition' in parsed);
  const server = { key: KEY, launch: parsed.definition.launch, inputs: [], syntax };
  return resolveLaunch(server, { ...machine, ...more });
}

describe('hosting/config/resolve/resolveLaunch', () => {
  it('gives a process its words, folder and environment', async () => {
    const stdio = {
      command: '~/bin/${env:NO}x',
      args: ['${workspaceFolder}', '${input:token}'],
      cwd: 'sub',
      envFile: '${workspaceFolder}/.env',
      env: { A: '${env:AWS_SECRET}', N: 1, HOME: null },
    };
    assert.deepEqual(await resolved(stdio), {
      resolved: {
        type: 'stdio',
        command: '/home/me/bin/x',
        args: ['/ws/web', SECRET],
        cwd: '/ws/web/sub',
        env: {
          PATH: '/usr/bin:/bin:/home/me/.volta/bin',
          https_proxy: 'http://proxy:3128',
          A: SECRET,
          B: SECRET,
          N: '1',
        },
      },
      unset: ['NO'],
      variables: ['A', 'B'],
      secrets: [SECRET, SECRET, 'file a', SECRET, SECRET],
    });
  });

  /** The directory and the environment of a process. */
  async function started(definition: object, more: Partial<LaunchMachine>) {
    const result = await resolved(definition, more);
    assert.ok('resolved' in result && result.resolved.type === 'stdio');
    return result.resolved;
  }

  it("runs in its source's directory, and keeps a PATH of the definition", async () => {
    const ofUser = { directory: '/home/me' };
    const { cwd, env } = await started({ command: 'a', env: { PATH: '/mine' } }, ofUser);
    assert.deepEqual([cwd, env.PATH], ['/home/me', '/mine']);
    assert.equal((await started({ command: 'a', cwd: 'sub' }, ofUser)).cwd, '/ws/web/sub');
  });

  it("passes on the editor's language, encoding and places, and nothing that may be a secret or load code", async () => {
    const passed = {
      LANG: 'de_DE.UTF-8',
      LANGUAGE: 'de',
      LC_ALL: 'C.UTF-8',
      LC_CTYPE: 'C',
      TZ: 'Asia/Tokyo',
      TMPDIR: '/t',
      TMP: '/t',
      TEMP: '/t',
      XDG_RUNTIME_DIR: '/run/user/1',
      XDG_CONFIG_HOME: '/c',
      XDG_DATA_DIRS: '/a:/b',
      XDG_SESSION_TYPE: 'wayland',
      DISPLAY: ':0',
      WAYLAND_DISPLAY: 'w',
      XAUTHORITY: '/x',
      COLORTERM: '24bit',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus',
    };
    const names = (
      'LC_API_TOKEN XDG_ACTIVATION_TOKEN XDG_SESSION_COOKIE SSH_AUTH_SOCK DOCKER_HOST NODE_OPTIONS LD_PRELOAD ' +
      'PYTHONPATH LOCPATH GITHUB_TOKEN LANG_KEY MY_TMPDIR'
    ).split(' ');
    const withheld = Object.fromEntries(names.map((name) => [name, SECRET]));
    const inFolder = {
      XDG_DATA_HOME: '/ws/web/data',
      XDG_CONFIG_DIRS: '/etc/xdg:/ws/web',
      XDG_STATE_HOME: 'relative',
    };
    const editor = { env: { ...passed, ...withheld, ...inFolder }, programDirectories: [] };
    assert.deepEqual((await started({ command: 'a' }, editor)).env, { ...passed, PATH: '' });
    const windows = { ...editor, platform: 'win32', env: { ...withheld, Temp: 'T', Lang: 'de' } } as const;
    assert.deepEqual((await started({ command: 'a' }, windows)).env, { TEMP: 'T', LANG: 'de', PATH: '' });
  });

  it('does not set a variable of Windows twice', async () => {
    const windows = {
      platform: 'win32',
      env: { Path: 'C:\\a', SystemRoot: 'C:\\w' },
      programDirectories: [],
    } as const;
    const { env } = await started({ command: 'a', env: { path: 'D:\\b' } }, windows);
    assert.deepEqual(env, { SYSTEMROOT: 'C:\\w', path: 'D:\\b' });
  });

  it('gives a connection its address and headers', async () => {
    const remote = { url: 'https://${A:-a.org}/mcp', headers: { Authorization: 'Bearer ${AWS_SECRET}' } };
    assert.deepEqual(await resolved(remote, {}, '.mcp.json'), {
      resolved: {
        type: 'http',
        url: new URL('https://a.org/mcp'),
        headers: { Authorization: `Bearer ${SECRET}` },
      },
      unset: [],
      variables: [],
      secrets: [SECRET, `Bearer ${SECRET}`, SECRET],
    });
  });

  it('lists the inputs that the user has to enter first', async () => {
    const asked = await resolved({ command: 'a', args: ['${input:x}${input:token}${input:x}'] });
    assert.deepEqual(asked, { missing: [{ type: 'promptString', id: 'x', password: true }] });
  });

  it('has of an env file the names, and the values that decide what runs, unless the definition sets them', async () => {
    const shown = (
      `PATH HOME ENV SHELL TMPDIR BASH_FUNC_node%% XDG_CONFIG_HOME GCONV_PATH LD_PRELOAD OPENSSL_CONF OPENSSL_MODULES ODBCSYSINI LESSOPEN ` +
      `NODE_OPTIONS NODE_TLS_REJECT_UNAUTHORIZED NODE_EXTRA_CA_CERTS npm_config_script_shell COREPACK_NPM_REGISTRY BUN_OPTIONS ` +
      `PYTHONUSERBASE PYTHONPYCACHEPREFIX PERL5DB PERLLIB LUA_INIT LUA_PATH GEM_HOME GEM_PATH BUNDLE_GEMFILE PHPRC GOFLAGS ` +
      `JAVA_HOME JDK_JAVA_OPTIONS CLASSPATH DOTNET_STARTUP_HOOKS CORECLR_PROFILER_PATH GIT_SSH_COMMAND GIT_CONFIG_COUNT GIT_ASKPASS ` +
      `DOCKER_HOST KUBECONFIG AWS_CONFIG_FILE RIPGREP_CONFIG_PATH TAR_OPTIONS MPLBACKEND PSQLRC CLOUDSDK_PYTHON AZURE_EXTENSION_DIR ` +
      `TF_CLI_CONFIG_FILE ANSIBLE_CONFIG ANSIBLE_VAULT_PASSWORD_FILE JUPYTER_CONFIG_DIR IPYTHONDIR RSYNC_RSH SVN_SSH HGRCPATH ` +
      `FZF_DEFAULT_COMMAND PYSPARK_PYTHON GUNICORN_CMD_ARGS PYTEST_ADDOPTS CATALINA_OPTS PRISMA_QUERY_ENGINE_LIBRARY CHROME_BIN`
    ).split(' ');
    const hidden = (
      `API_TOKEN GITHUB_TOKEN GOOGLE_API_KEY GEMINI_API_KEY DATABASE_URL REDIS_URL PORT LOG_LEVEL HTTPS_PROXY AWS_REGION DB_PASS ` +
      `AWS_SECRET_ACCESS_KEY NPM_TOKEN NODE_AUTH_TOKEN DOCKER_TOKEN LD_SDK_KEY MIX_PUSHER_APP_KEY ODBC_CONNECTION_STRING ODBC_DSN`
    ).split(' ');
    const all = [...shown, ...hidden];
    const readEnvFile = async () => all.map((name) => `${name}=x`).join('\n');
    const found = async (env: object) => {
      const result = await resolved({ command: 'a', envFile: 'e', env }, { readEnvFile });
      assert.ok('variables' in result);
      return new Set(result.variables);
    };
    assert.deepEqual(await found({}), new Set([...shown.map((name) => `${name}=x`), ...hidden]));
    assert.deepEqual(await found(Object.fromEntries(all.map((name) => [name, 'y']))), new Set(all));
  });

  it('says which field is wrong, and never quotes a secret', async () => {
    const wrong: [object, RegExp][] = [
      [{ command: 'a', args: ['${env:BAD}'] }, /^args\[0\]: must not contain a null character$/],
      [{ command: 'a', env: { 'B=C': 'x' } }, /^env: B=C is not a name of a variable$/],
      [{ command: 'a', envFile: '.env.local' }, /^envFile: must not contain a null character$/],
      [{ command: 'a', envFile: '/x/${input:token}' }, /^envFile: \/x\/\[redacted\] does not exist/],
      [{ command: 'node', args: ['/opt/state/shim.js'] }, /cannot be one of its own servers/],
      [{ url: '${env:AWS_SECRET}' }, /^url: must be an address that begins with http/],
      [{ url: 'https://u:${env:AWS_SECRET}@a.org' }, /^url: must not have a user name or password/],
      [
        { url: 'https://a.org', headers: { A: '${env:AWS_SECRET}\n' } },
        /^headers\.A: must not contain line breaks/,
      ],
      [{ url: 'https://a.org', headers: { 'A B': '' } }, /^headers\.A B: is not a name of a header$/],
    ];
    for (const [definition, message] of wrong)
      await assert.rejects(resolved(definition), (error) => {
        assert.ok(error instanceof UserError);
        assert.match(error.message, message);
        assert.ok(!error.message.includes(SECRET));
        return true;
      });
  });

  it('never quotes a secret, whatever it is and wherever it is used', async () => {
    const place = fc.constantFrom(
      (text: string) => ({ command: text, args: [text], cwd: text, env: { A: text } }),
      (text: string) => ({ url: text }),
      (text: string) => ({ url: `https://${text}` }),
      (text: string) => ({ url: 'https://a.org', headers: { A: text } }),
    );
    const strange = fc.string({
      unit: fc.constantFrom('\0', '\n', '{', '$', '/', ':', '@', '数'),
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(place, fc.constantFrom('', '${config:y}'), strange, async (define, end, more) => {
        const env = { X: SECRET + more };
        const result = await resolved(define(`\${env:X}${end}`), { env }).catch((error) => error);
        if (result instanceof Error) assert.ok(!`${result.stack}`.includes(SECRET), result.message);
      }),
    );
  });
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('hosting/config/resolve/resolveLaunch: secrets', () => {
  const input = { type: 'promptString', id: 'x', password: false } as const;
  const pick: ServerInput = { type: 'pickString', id: 'y', options: ['prod'] };

  it('are all entered values of 4 characters, and others that are no plain words', () => {
    const values = [
      ...['production', '12345678', '/home/me/x', '~/x', 'C:\\x\\y', 'https://a.org/x', 'short', 'Größe'],
      ...['s3cr3t!', 'https://a.org/?key=k3y-of-a', 'mysql://me:p%40ss@db/x', '/K7MDENGbPxRfiCYEXAMPLEKEY'],
    ];
    const entered = [
      [input, 'root'],
      [input, 'abc'],
      [pick, 'prod'],
    ] as const;
    assert.deepEqual(secretTexts({ entered, values }), [
      ...['root', 'p%40ss', 'p@ss', 's3cr3t!', 'https://a.org/?key=k3y-of-a', 'mysql://me:p%40ss@db/x'],
      ...['/K7MDENGbPxRfiCYEXAMPLEKEY', 'k3y-of-a'],
    ]);
  });

  it('are what was entered as a text, though the file offers other options now', () => {
    const options: ServerInput = { ...pick, options: ['prod', { label: 's3cr3t!', value: 'test' }] };
    const entered = ['s3cr3t!', 'test', 'prod'].map((value) => [options, value] as const);
    assert.deepEqual(secretTexts({ entered, values: [] }), ['s3cr3t!']);
  });

  it('are headers without their scheme, queries of the address, and lines of a text', () => {
    const headers = {
      Authorization: `Basic ${base64('me:pass')}`,
      'X-Key': 'Token t0k-en',
      Accept: 'text/plain',
    };
    const url = new URL('https://a.org/mcp?key=k3y-of-a&kind=simple');
    assert.deepEqual(secretTexts({ entered: [], values: ['-- key --\r\nabc+123\n'], headers, url }), [
      ...['pass', '-- key --', 'abc+123', `Basic ${base64('me:pass')}`, base64('me:pass')],
      ...['Token t0k-en', 't0k-en', 'k3y-of-a'],
    ]);
  });
});
