import assert from 'node:assert/strict';
import * as z from 'zod';
import { UserError } from '../../../src/core/errors.ts';
import { page } from '../../../src/core/page.ts';
import { LOOKS_ONLY, type Tool, text } from '../../../src/features/tool.ts';
import { Connection, type Message, MODERN } from './agent.ts';

describe('protocol/tools', () => {
  let connection: Connection;
  let meta: object;
  afterEach(() => connection.close());

  const open = async (options = {}, version = '2025-11-25') => {
    connection = new Connection(options);
    meta = version >= '2026' ? { _meta: MODERN } : {};
    if (version < '2026') await connection.initialize(version);
  };
  const call = (name: unknown, args?: unknown): Promise<Message> =>
    connection.request('tools/call', { name, arguments: args, ...meta });

  for (const [version, missing] of [
    ['2024-11-05', -32002],
    ['2025-11-25', -32002],
    ['2026-07-28', -32602],
  ] as const)
    it(`refuses by the codes of ${version}`, async () => {
      await open({}, version);
      const unknown = (await call('constructor', {})).error;
      assert.equal(unknown.code, -32602);
      assert.match(unknown.message, /Unknown tool "constructor"/);
      for (const [name, args] of [
        ['echo', [1]],
        [7, {}],
      ])
        assert.equal((await call(name, args)).error.code, -32602);
      assert.equal((await call('echo', {})).result.isError, true);
      for (const uri of ['test:missing', 'test:unknown']) {
        const { error } = await connection.request('resources/read', { uri, ...meta });
        assert.deepEqual([error.code, error.data], [missing, { uri, details: error.message }]);
      }
      const { error } = await connection.request('resources/read', { uri: 'no URI', ...meta });
      assert.equal(error.code, -32602);
      for (const method of ['tools/list', 'resources/list', 'prompts/list', 'resources/templates/list'])
        assert.equal((await connection.request(method, { cursor: 'mine', ...meta })).error.code, -32602);
    });

  const wrong: [string, unknown, RegExp][] = [
    ['an argument missing', {}, /Invalid arguments for echo: "say": .*string/],
    ['no arguments at all', undefined, /"say"/],
    ['an argument of another type', { say: 1 }, /"say": .*string/],
    ['an argument that there is not', { say: 'x', loud: true }, /no argument "loud"/],
    ['a number out of range', { say: 'x', times: 1e9 }, /"times"/],
    ['null for an argument that is needed', { say: null }, /"say"/],
    ['null for an argument that there is not', { say: 'x', loud: null }, /"loud"/],
    ['very many arguments, in short', { ['x'.repeat(5_000)]: 1 }, /^.{0,2000}$/s],
  ];
  for (const [what, args, message] of wrong)
    it(`answers ${what} with a sentence that the model reads`, async () => {
      await open();
      const { result } = await call('echo', args);
      assert.equal(result.isError, true);
      assert.match(result.content[0].text, message);
    });

  it('takes null as left out where an argument may be, and nothing from __proto__', async () => {
    await open();
    for (const args of ['{"say":"x","times":null}', '{"say":"x","__proto__":{"times":3}}'])
      assert.equal((await call('echo', JSON.parse(args))).result.content[0].text, 'x');
  });

  it('repeats no megabytes of what was sent', async () => {
    await open();
    const { error } = await call(`no_${'x'.repeat(1e6)}`, {});
    assert.ok(error.message.length < 10_000);
    assert.match(error.message, /^Unknown tool "no_x+ \[…\d+ characters…\] x+"\. See tools\/list/);
    assert.ok(new UserError(`/${'x'.repeat(1e6)} is closed.`).message.length < 10_000);
  });

  it('makes visible what names have that forges lines or does not show', async () => {
    await open();
    const name = 'a\n\u202eb';
    const shown = /"a\\u\{a\}\\u\{202e\}b"/;
    assert.match((await call(name, {})).error.message, shown);
    assert.match((await call('echo', { [name]: 1 })).result.content[0].text, shown);
    assert.match((await connection.request('prompts/get', { name })).error.message, shown);
    assert.equal(new UserError('one\n\ttwo\u202e', { lines: true }).message, 'one\n\ttwo\\u{202e}');
  });

  it('hands on what a tool refuses, and hides what breaks', async () => {
    await open();
    assert.deepEqual((await call('refuse', {})).result.content, [{ type: 'text', text: 'Not so, but so.' }]);
    const broken = await call('break', {});
    assert.equal(broken.result.isError, true);
    assert.doesNotMatch(JSON.stringify(broken), /hunter2/);
  });

  it('refuses an operation that is switched off, and lets others be', async () => {
    await open({ user: { 'workspaceMcp.access.allowedOperations': ['read'] } });
    assert.match((await call('edit', {})).result.content[0].text, /"edit" is switched off/);
    assert.equal((await call('echo', { say: 'x' })).result.content[0].text, 'x');
  });

  it("refuses a tool's foreign cursor by a result", async () => {
    const input = z.strictObject({ cursor: z.string() });
    const run = async ({ cursor }: z.output<typeof input>) =>
      text(`${page('pages', [1], String, cursor).items}`);
    const paging: Tool = {
      name: 'pages',
      title: 'Pages',
      description: '',
      group: 'files',
      operation: 'read',
      annotations: LOOKS_ONLY,
      input,
      run: run,
    };
    await open({ features: { tools: [paging] } });
    const { result } = await call('pages', { cursor: 'mine' });
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /^Unknown cursor "mine"/);
  });
});
