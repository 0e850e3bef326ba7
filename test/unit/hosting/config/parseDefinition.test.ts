// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables
import assert from 'node:assert/strict';
import { fieldsOf } from '../../../../src/core/json.ts';
import type { ServerLaunch } from '../../../../src/hosting/config/definition.ts';
import { parseDefinition } from '../../../../src/hosting/config/parseDefinition.ts';
import { fieldName } from '../../../../src/hosting/config/problems.ts';
import { english } from '../english.ts';

function parsed(value: unknown, from: 'settings' | 'file' = 'settings') {
  const result = parseDefinition(value, from, english);
  if ('problems' in result)
    return result.problems.map(({ path, message }) => `${fieldName(path)}: ${message}`);
  return result.definition;
}

const options = {
  enabled: true,
  tools: { allow: ['*'], deny: [] },
  roots: true,
  sampling: 'editor',
  samplingLimits: {},
  elicitation: 'editor',
  share: 'window',
  keepAlive: false,
};

describe('hosting/config/parseDefinition', () => {
  it('fills in what a definition leaves out', () => {
    assert.deepEqual(parsed({ command: 'npx', env: { A: 1, B: null }, dev: { watch: '*' } }), {
      launch: { type: 'stdio', command: 'npx', args: [], env: { A: 1, B: null } },
      options,
    });
    assert.deepEqual(
      parsed({ url: 'https://a.org', oauth: { clientId: 'c' }, tools: { deny: ['drop_*'] } }),
      {
        launch: { type: 'http', url: 'https://a.org', headers: {}, oauth: { clientId: 'c' } },
        options: { ...options, tools: { allow: ['*'], deny: ['drop_*'] } },
      },
    );
  });

  it('names every wrong field, without its value', () => {
    assert.deepEqual(parsed({ args: [1], env: { TOKEN: ['secret'] }, comand: 'x', sampling: 'no' }), [
      'command: missing',
      'args[0]: must be of type string',
      'env.TOKEN: must be of type string | number | null',
      'sampling: must be one of: "editor", "agent", "deny"',
      'comand: unknown field',
    ]);
    assert.deepEqual(parsed({ type: 'ws', url: '', headers: [] }), [
      'type: must be one of: "http", "sse"',
      'url: must not be empty',
      'headers: must be of type object',
    ]);
    assert.deepEqual(parsed('npx'), [': must be of type object']);
  });

  it('knows streamable HTTP by the names of other clients, as the same launch', () => {
    const url = 'https://a.org';
    const { launch } = parsed({ type: 'http', url }) as { launch: ServerLaunch };
    const names = 'streamable-http streamableHttp streamable_http StreamableHTTP HTTP http-stream';
    for (const name of names.split(' ')) {
      for (const from of ['settings', 'file'] as const)
        assert.deepEqual(parsed({ type: name, url }, from), { launch, options }, name);
      assert.deepEqual(parsed({ transport: name, url }), { launch, options }, name);
    }
    const typeOf = (definition: object, from?: 'file') =>
      (parsed(definition, from) as { launch: ServerLaunch }).launch.type;
    assert.equal(typeOf({ transport: 'sse', url }), 'sse');
    assert.equal(typeOf({ transport: 'stdio', command: 'a' }), 'stdio');
    assert.equal(typeOf({ type: 'http', transport: 'sse', url }), 'http');
    // What the user approved before counts on.
    assert.equal(typeOf({ transport: 'sse', url }, 'file'), 'http');
    assert.deepEqual(parsed({ type: 'streamable', url }, 'file'), ['type: must be one of: "http", "sse"']);
    for (const from of ['settings', 'file'] as const)
      assert.deepEqual(parsed({ transport: 'ws', url }, from), ['transport: must be one of: "http", "sse"']);
  });

  it('takes no options from a file, which may be of somebody else, and ignores what other clients put there', () => {
    const file = { type: 'sse', url: 'https://a.org', sampling: 'agent', share: 1, timeout: 5 };
    assert.deepEqual(parsed(file, 'file'), {
      launch: { type: 'sse', url: 'https://a.org', headers: {} },
      options,
    });
  });

  it('keeps the settings of a sandbox only where one is asked for, so that the approval covers them', () => {
    const sandbox = { filesystem: { allowWrite: ['/a'] } };
    const launchOf = (more: object) =>
      fieldsOf(parsed({ command: 'a', sandbox, ...more }, 'settings')).launch as object;
    assert.deepEqual(launchOf({ sandboxEnabled: false }), launchOf({}));
    assert.deepEqual(launchOf({}), { type: 'stdio', command: 'a', args: [], env: {} });
    assert.deepEqual(launchOf({ sandboxEnabled: true }), { ...launchOf({}), sandboxEnabled: true, sandbox });
  });

  it('refuses what would be dangerous to ignore, with the reason', () => {
    const refused = (value: object) => parsed(value, 'file') as string[];
    for (const [definition, reason] of [
      [{ command: 'a', sandboxEnabled: 'yes' }, /^sandboxEnabled: must be of type boolean/],
      [
        { command: 'a', sandboxEnabled: true, sandbox: { network: { on: 1 } } },
        /^sandbox\.network\.on: unknown/,
      ],
      [{ command: 'a', env: { B: '${command:c}' } }, /^env\.B: .*run a command of VS Code/],
      [{ url: 'https://a.org', headersHelper: 'x' }, /^headersHelper: .*run a program/],
    ] as const)
      assert.match(`${refused(definition)}`, reason);
    for (const shim of [
      ['node', '/home/me/.workspace-mcp/shim.js'],
      ['sh', '-c', 'exec node "$HOME/.workspace-mcp/shim.js" --window a'],
      ['node', 'C:\\Users\\a\\.vscode\\extensions\\workspace-mcp.workspace-mcp-0.1.0\\dist\\shim.js'],
    ])
      assert.match(`${refused({ command: shim[0], args: shim.slice(1) })}`, /^command: .*its own servers/);
    // Another server with this name exists on PyPI.
    assert.ok('launch' in refused({ command: 'uvx', args: ['workspace-mcp'] }));
  });
});
