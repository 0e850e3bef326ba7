// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of definitions
import assert from 'node:assert/strict';
import type { FoundServer, ServerSource } from '../../../../src/hosting/config/sources.ts';
import { shownLaunch } from '../../../../src/hosting/config/trust.ts';
import type { HostedState } from '../../../../src/hosting/servers/hosted.ts';

const { approvalText, approvalTitle, wrapped } = await import('../../../../src/ui/hosting/approvalText.ts');
const { window } = await import('vscode');
const { enterAll, pickItems } = await import('../../../../src/ui/hosting/start.ts');
const { definitionProblem, rootRows, serverStateText } = await import('../../../../src/ui/hosting/rows.ts');

const settings: ServerSource = { kind: 'settings' };
const folder: ServerSource = { kind: 'folder', file: '/ws/.mcp.json', folder: { name: 'ws', path: '/ws' } };
const args = ['my server.js', '\u202e${input:token}'];
const env = { TOKEN: 's3cret', NODE_OPTIONS: '--require=/x.js' };
const shown = shownLaunch({ type: 'stdio', command: 'node', args, env }, 'posix');

const seen = { variables: [], directory: '/home/me', runsInWorkspace: false, usesWorkspace: false };
const launch = { type: 'stdio' as const, command: 'node', args: [], env: {} };
const found = (more: object = {}): FoundServer['found'] => ({
  definition: { launch: { ...launch, ...more } } as never,
});
const textOf = (
  verdict: Parameters<typeof approvalText>[1],
  more: object = {},
  source: ServerSource = settings,
) => approvalText({ source, found: found() }, verdict, { ...seen, ...more });

describe('ui/hosting/texts: what the user approves', () => {
  it('is shown whole, without secrets, and with invisible characters spelled out', () =>
    assert.equal(
      textOf({ kind: 'new', shown }),
      `Command: node 'my server.js' '\\u{202e}\${input:token}'
Runs in: /home/me
Environment variables: TOKEN, NODE_OPTIONS=--require=/x.js
Values from outside: \${input:token}
Written in: your setting workspaceMcp.servers

The program runs with all of your rights. You approve it for all folders.`,
    ));

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
    const text = approvalText({ source: settings, found: ofFolder }, { kind: 'new', shown }, seen);
    assert.match(text, /for this folder only, .* it uses \$\{workspaceFolder\}, cwd\.$/);
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
    assert.equal(approvalTitle('a”b', verdict), 'The MCP server “a"b” has changed. Start it?');
  });
});

describe('ui/hosting/texts: lists and lines', () => {
  it('an option shows the value that is used beside its label, the default first', () => {
    const options = ['a', { label: 'safe', value: 'rm\n\u202e$(x)' }, { value: 'b' }];
    const items = pickItems({ type: 'pickString', id: 'x', default: 'b', options });
    assert.deepEqual(
      items.map(({ label, value, description = '' }) => `${label}=${value} ${description}`),
      ['b=b ', 'a=a ', 'safe=rm\n\u202e$(x) rm\\u{a}\\u{202e}$ (x)'],
    );
  });

  it('a value that is not shown while it is entered has no default, which a repository may have written', async () => {
    const boxes: { value?: string }[] = [];
    Object.assign(window, { showInputBox: async (box: object) => void boxes.push(box) });
    for (const password of [true, false])
      await enterAll({ name: 'db' } as never, [{ type: 'promptString', id: 'x', default: 'evil', password }]);
    assert.deepEqual(
      boxes.map(({ value }) => value),
      [undefined, 'evil'],
    );
  });

  it('a long line is broken, and no part of it looks like another entry', () => {
    const command = `Command: ${'x'.repeat(27)}`;
    assert.equal(wrapped(`${command}Host: good\n\nb`), `${command}\n    Host: good\n\nb`);
  });
});

describe('ui/hosting/texts: rows', () => {
  it('say how many of how many there are, if a list of a server is not complete', () => {
    const lists = { tools: [{ name: 'a' }], prompts: [{ name: 'b' }], resources: [], resourceTemplates: [] };
    const cut = { tools: { kept: 1, sent: 30, hasMore: true, why: '' } };
    const server = { name: 'db', server: { source: settings }, tools: [], catalogue: { ...lists, cut } };
    const [root] = rootRows({ servers: [server as never], found: [], off: undefined });
    const parts = root?.children?.()[0]?.children?.() ?? [];
    assert.deepEqual(
      parts.map(({ look }) => look.label),
      ['Tools (1 / 30+)', 'Prompts (1)', 'Log'],
    );
  });
});

describe('ui/hosting/texts: states', () => {
  it('say why a server does not run', () => {
    const textOf = (state: HostedState, more: object = {}) => serverStateText({ name: 'db', state, ...more });
    assert.equal(textOf('halted'), 'stopped by you');
    assert.match(textOf('stopped'), /^not running, starts with/);
    assert.match(textOf('idle'), /^stopped after 15 minutes without use/);
    assert.equal(
      textOf('changed', { changedParts: ['command', 'env'] }),
      'changed (command, env), stopped until you approve it',
    );
    assert.equal(
      textOf('needsUser', { missingInputs: [{ id: 'key' }, { id: 'b' }] }),
      'waits for values that you enter: key, b',
    );
  });

  it('say why a server failed, without its name again, and the fields of an invalid definition', () => {
    const problem = 'The server db did not start. It exited.';
    assert.equal(
      serverStateText({ name: 'db', state: 'failed', problem }),
      'failed: did not start. It exited.',
    );
    const ofArgument = { path: ['args', 0], message: 'must be of type string' };
    const found: FoundServer['found'] = { problems: [ofArgument, { path: [], message: 'missing' }] };
    assert.equal(definitionProblem({ found }), 'args[0]: must be of type string; missing');
  });
});
