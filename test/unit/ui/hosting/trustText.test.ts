// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of definitions
import assert from 'node:assert/strict';
import type { FoundServer, ServerSource } from '../../../../src/hosting/config/sources.ts';
import { shownLaunch } from '../../../../src/hosting/config/trust.ts';

const { trustText, trustTitle, wrapped } = await import('../../../../src/ui/hosting/trustText.ts');

const settings: ServerSource = { kind: 'settings' };
const folder: ServerSource = { kind: 'folder', file: '/ws/.mcp.json', folder: { name: 'ws', path: '/ws' } };
const args = ['my server.js', '\u202e${input:token}'];
const env = { TOKEN: 's3cret', NODE_OPTIONS: '--require=/x.js' };
const shown = shownLaunch({ type: 'stdio', command: 'node', args, env }, 'posix');

const seen = { variables: [], directory: '/home/me', runsInWorkspace: false, usesWorkspace: false };
const launch = { type: 'stdio' as const, command: 'node', args: [], env: {} };
const found = (more: object = {}): FoundServer['found'] => ({
  definition: { launch: { ...launch, ...more }, options: { tools: {} } } as never,
});
const textOf = (
  verdict: Parameters<typeof trustText>[1],
  more: object = {},
  source: ServerSource = settings,
) => trustText({ source, found: found() }, verdict, { ...seen, ...more });

describe('ui/hosting/trustText', () => {
  it('is shown whole, without secrets, and with invisible characters spelled out', () =>
    assert.equal(
      textOf({ kind: 'new', shown }),
      `Command: node 'my server.js' '\\u{202e}\${input:token}'
Runs in: /home/me
Environment variables: TOKEN, NODE_OPTIONS=--require=/x.js
Values from outside: \${input:token}
Written in: your setting workspaceMcp.servers

The program runs with all of your rights. You approve it for all folders. You are not asked about calls of tools that call themselves read-only.`,
    ));

  it('says what the sandbox of a definition allows, and plainly that there is none where there is none', () => {
    const sandboxed = shownLaunch({ ...launch, sandboxEnabled: true, sandbox: { network: {} } }, 'posix');
    const asked = (sandboxLacks: string[]) => textOf({ kind: 'new', shown: sandboxed }, { sandboxLacks });
    assert.match(asked([]), /^Sandbox: \{"network":\{\}\}$/m);
    assert.match(asked([]), /^The program runs in VS Code's sandbox: /m);
    assert.doesNotMatch(asked([]), /all of your rights/);
    assert.match(
      asked(['bwrap']),
      /lacks what VS Code needs for one: bwrap\. The program runs without the sandbox/,
    );
  });

  it('names the directory that the program runs in, and what whoever changes the workspace can do', () => {
    const runningIn = (cwd: string | undefined, more: object) =>
      textOf({ kind: 'new', shown: { ...shown, ...(cwd !== undefined && { cwd }) } }, more);
    assert.match(runningIn('sub', { directory: '/ws/sub' }), /^Runs in: \/ws\/sub$/m);
    assert.match(runningIn('${env:A}', { directory: '/a' }), /^Runs in: \$\{env:A\}$/m);
    const [runs, uses] = [{ runsInWorkspace: true }, { usesWorkspace: true }];
    for (const [how, said] of [
      [runs, 'It runs in the workspace: whoever '],
      [uses, 'It uses files of the workspace: whoever '],
      [{ ...runs, ...uses }, 'It runs in the workspace and uses files of it: '],
    ] as const)
      assert.ok(runningIn(undefined, how).includes(`all of your rights. ${said}`), said);
  });

  it('has the names in the env file, the values that decide what runs, and what is new', () => {
    const withFile = { ...shown, envFile: '.env' };
    const changes = [
      { field: 'envFile.C', after: 'true' },
      { field: 'envFile.PATH', before: '/y', after: '/x\nB' },
    ];
    const variables = ['A', 'PATH=/x\nB', 'C'];
    const text = textOf({ kind: 'changed', shown: withFile, changes }, { variables });
    assert.match(text, /^File of environment variables: \.env \(sets PATH=\/x\\u\{a\}B, A, C\)$/m);
    assert.match(text, /^envFile\.C:\n− nothing\n\+ a value that is not shown$/m);
    assert.match(text, /^envFile\.PATH:\n− \/y\n\+ \/x\\u\{a\}B$/m);
  });

  it('names the host of a URL, and who can have written it', () => {
    const url = 'https://example.com:8443/mcp';
    const remote = { type: 'http' as const, url, headers: { Authorization: 'Bearer s3cret' } };
    const text = textOf({ kind: 'new', shown: shownLaunch(remote, 'posix') }, {}, folder);
    assert.ok(text.startsWith(`Address: ${url}\nHost: example.com:8443\nHeaders: Authorization\n`), text);
    assert.match(text, /Written in: the file \/ws\/\.mcp\.json of the folder “ws”/);
    assert.match(text, /Anybody who can change the repository/);
    assert.doesNotMatch(text, /You approve it for/);
    assert.doesNotMatch(text, /s3cret/);
  });

  it('is for this folder only if it is another one in another folder, and says why', () => {
    const ofFolder = found({ args: ['${workspaceFolder}/a.js'], cwd: 'sub' });
    const text = trustText({ source: settings, found: ofFolder }, { kind: 'new', shown }, seen);
    assert.match(
      text,
      /for this folder only, .* it uses \$\{workspaceFolder\}, cwd\. You are not asked about calls of tools that call themselves read-only\.$/,
    );
  });

  it('has every difference of a changed definition', () => {
    const changes = [
      { field: 'command', before: 'node a.js', after: 'node b.js\nHost: good.example' },
      { field: 'env.TOKEN', after: '#12345678' },
    ];
    const verdict = { kind: 'changed' as const, shown, changes };
    const command = 'command:\n− node a.js\n+ node b.js\\u{a}Host: good.example\n';
    const token = 'env.TOKEN:\n− nothing\n+ hidden value, hash 12345678\n';
    assert.ok(textOf(verdict).includes(`Changed since you approved it:\n${command}${token}`));
    assert.equal(trustTitle('a”b', verdict), 'The MCP server “a"b” has changed. Start it?');
  });

  it('a long line is broken, and no part of it looks like another entry', () => {
    const command = `Command: ${'x'.repeat(27)}`;
    assert.equal(wrapped(`${command}Host: good\n\nb`), `${command}\n    Host: good\n\nb`);
  });
});
