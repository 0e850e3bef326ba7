import assert from 'node:assert/strict';
import * as z from 'zod';
import { ENTRY } from '../../../src/agents/program.ts';
import { CLIENTS, type Client } from '../../../src/core/clients.ts';
import { coreEntries } from '../../../src/core/coreEntry.ts';
import { APPS } from '../../../src/core/mcpExtensions.ts';
import { features } from '../../../src/features/index.ts';
import { LOOKS_ONLY, type Tool, text } from '../../../src/features/tool.ts';
import { catalogue } from '../../../src/protocol/server.ts';
import { holdClock } from '../../fakes/clock.ts';
import { Connection } from './agent.ts';

const PROFILE = 'workspaceMcp.tools.profile';

const tool = (name: string, description: string): Tool => ({
  name,
  title: name,
  description,
  group: 'files',
  operation: 'read',
  annotations: LOOKS_ONLY,
  hints: { search: name },
  input: z.strictObject({ word: z.string() }),
  run: async ({ word }: { word: string }) => text(`${name} ${word}`),
});

const FEATURES = {
  tools: [tool('lint', 'Lints JavaScript.'), tool('paint', 'Paints a fence.'), tool('carve', 'Carves wood.')],
  core: new Set(['lint']),
};

const ALL = ['carve', 'lint', 'paint'];
const CORE = ['call_tool', 'find_tools', 'lint'];

describe('protocol/toolList', () => {
  const clock = holdClock();
  let connection: Connection | undefined;
  afterEach(() => connection?.close());

  async function open(client: object = { name: 'test', version: '1' }, user = {}) {
    const opened = new Connection({ features: FEATURES, user });
    connection = opened;
    await opened.initialize('2025-11-25', client);
    const list = async () => (await opened.request('tools/list')).result.tools as { name: string }[];
    const names = async () => (await list()).map(({ name }) => name);
    const call = async (name: string, args: object) => {
      const { result } = await opened.request('tools/call', { name, arguments: args });
      return `${result.content[0].text}`;
    };
    return { opened, list, names, call };
  }

  it('has all tools for clients that search, the core for the others, and what the user has set', async () => {
    for (const [client, profile, expected] of [
      [{ name: 'claude-code' }, undefined, ALL],
      [{ name: 'codex-mcp-client' }, 'automatic', ALL],
      [{ name: 'x', title: 'Claude Code' }, undefined, ALL],
      [{ name: 'gemini-cli-mcp-client' }, undefined, CORE],
      [{ name: 'nobody knows' }, 'automatic', CORE],
      [{ name: 'nobody knows' }, 'all', ALL],
      [{ name: 'claude-code' }, 'core', CORE],
      [{ name: 'claude-code' }, 'nonsense', ALL],
    ] as const) {
      const { names } = await open({ version: '1', ...client }, { [PROFILE]: profile });
      assert.deepEqual(await names(), expected, JSON.stringify([client, profile]));
      connection?.close();
    }
  });

  it('of the core leaves out what only a search reads, and hints that say what is so anyway', async () => {
    const [, , lint] = await (await open()).list();
    assert.deepEqual(Object.keys(lint ?? {}), ['name', 'description', 'inputSchema', 'annotations']);
    assert.deepEqual((lint as { annotations?: object }).annotations, LOOKS_ONLY);
  });

  it('tells when the user chooses another', async () => {
    const { opened, names } = await open();
    await names();
    opened.fake.person.sets(PROFILE, 'all');
    clock.tick(300);
    await opened.next(({ method }) => method === 'notifications/tools/list_changed');
    assert.deepEqual(await names(), ALL);
  });

  it('tells when a tool goes that only find_tools names', async () => {
    const { opened, list } = await open();
    const described = async () => JSON.stringify(await list());
    assert.match(await described(), /paint, carve/);
    opened.fake.person.sets('workspaceMcp.tools.disabled', ['carve']);
    clock.tick(300);
    await opened.next(({ method }) => method === 'notifications/tools/list_changed');
    assert.doesNotMatch(await described(), /carve/);
  });

  it('tells when the user switches off a tool of a hosted server by its name', async () => {
    const listed = [{ ...tool('a__saw', 'Saws.'), group: 'hosted' } as const];
    const source = { list: () => ({ listed, hidden: [] }), find() {}, watch: () => ({ dispose() {} }) };
    connection = new Connection({ features: { ...FEATURES, toolSources: [source as never] } });
    await connection.initialize();
    const described = async () => JSON.stringify((await connection?.request('tools/list'))?.result);
    assert.match(await described(), /a__saw/);
    connection.fake.person.sets('workspaceMcp.tools.disabled', ['a__saw']);
    clock.tick(300);
    await connection.next(({ method }) => method === 'notifications/tools/list_changed');
    assert.doesNotMatch(await described(), /a__saw/);
  });

  it('reaches the rest: found by words, with arguments, and called as if it were listed', async () => {
    const { call } = await open();
    const found = await call('find_tools', { query: 'wood' });
    assert.match(found, /^carve: Carves wood\.\nArguments: \{.*"word"/);
    const listed = await call('find_tools', { query: 'lint javascript' });
    assert.match(listed, /^lint \(in your list\): Lints JavaScript\.$/);
    assert.match(await call('find_tools', { query: 'sail' }), /No tool fits "sail"/);
    for (const args of [{ word: 'oak' }, '{"word":"oak"}'])
      assert.equal(await call('call_tool', { name: 'carve', arguments: args }), 'carve oak');
    for (const args of [[], '', null, undefined])
      assert.match(await call('call_tool', { name: 'carve', arguments: args }), /for carve: "word"/);
    const inner = { name: 'find_tools', arguments: { query: 'wood' } };
    assert.equal(await call('call_tool', inner), found);
    assert.equal(await call('call_tool', { name: 'lint', arguments: { word: 'a' } }), 'lint a');
    assert.match(await call('call_tool', { name: 'carve' }), /Invalid arguments for carve: "word"/);
    assert.match(await call('call_tool', { name: 'sail' }), /no tool "sail"\. Find one with find_tools/);
    assert.match(await call('call_tool', { name: 'call_tool', arguments: {} }), /cannot call itself/);
  });

  it('is all that a program calls by name while it shows an app, which could name the rest on purpose', async () => {
    const app = { ...tool('a__show', 'Shows.'), group: 'hosted', apps: 'too' } as const;
    const plain = { ...tool('b__saw', 'Saws.'), group: 'hosted' } as const;
    const all = [app, plain];
    const find = (name: string) => all.find((one) => one.name === name);
    const source = {
      list: () => ({ listed: [app], hidden: [plain] }),
      find,
      watch: () => ({ dispose() {} }),
    };
    const open = async (capabilities: object, profile: string) => {
      const user = { [PROFILE]: profile };
      connection = new Connection({ features: { ...FEATURES, toolSources: [source as never] }, user });
      const own = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test', version: '1' } };
      await connection.request('initialize', own);
    };
    const call = async (name: string, args: object = { word: 'oak' }) => {
      const answer = await connection?.request('tools/call', { name, arguments: args });
      return `${answer?.result.content[0].text}`;
    };
    await open(APPS, 'core');
    for (const name of ['carve', 'b__saw']) {
      assert.match(await call(name), new RegExp(`^${name} is not in your list .* Call it with call_tool`));
      assert.equal(await call('call_tool', { name, arguments: { word: 'oak' } }), `${name} oak`);
    }
    for (const name of ['lint', 'a__show']) assert.equal(await call(name), `${name} oak`);
    assert.match(await call('find_tools', { query: 'wood' }), /^carve/);
    connection?.close();
    source.list = () => ({ listed: all, hidden: [] }) as never;
    await open(APPS, 'all');
    const inner = { name: 'carve', arguments: { word: 'oak' } };
    assert.match(await call('call_tool', inner), /^call_tool is not in your list/); // nor is it closed there
    assert.equal(await call('carve'), 'carve oak');
    connection?.close();
    await open({}, 'core');
    assert.equal(await call('carve'), 'carve oak');
  });

  it('says which tools no search finds', async () => {
    const list = () => ({ listed: [], hidden: [], notes: ['Only 5 of 9.'] });
    const source = { list, find() {}, watch: () => ({ dispose() {} }) };
    connection = new Connection({ features: { ...FEATURES, toolSources: [source as never] } });
    await connection.initialize('2025-11-25', { name: 'test', version: '1' });
    for (const [query, found] of [
      ['wood', /^\[Note: Only 5 of 9\.\]\ncarve: /],
      ['sail', /^No tool fits "sail".* Only 5 of 9\.$/],
    ] as const) {
      const { result } = await connection.request('tools/call', { name: 'find_tools', arguments: { query } });
      assert.match(result.content[0].text, found);
    }
  });

  it('calls nothing with less than it was given', async () => {
    const { call } = await open();
    for (const [args, problem] of [
      [{ arguments: '{word: "oak"}' }, /Invalid arguments for call_tool: "arguments"/],
      [{ word: 'oak' }, /Invalid arguments for call_tool: .*no argument "word"/],
      [{ arguments: { word: 'oak' }, dryRun: true }, /Invalid arguments for call_tool: .*"dryRun"/],
    ] as const)
      assert.match(await call('call_tool', { name: 'carve', ...args }), problem);
  });

  it('finds for who has an older list', async () => {
    const { call } = await open(undefined, { [PROFILE]: 'all' });
    assert.match(await call('find_tools', { query: 'wood' }), /^carve: Carves wood\.\nArguments: /);
    assert.match(await call('call_tool', { name: 'sail' }), /no tool "sail"/);
  });

  it('finds first what a whole sentence is about, whatever else is in it', async () => {
    connection = new Connection({
      features: { tools: features.tools, ...(features.core && { core: features.core }) },
    });
    await connection.initialize('2025-11-25');
    for (const [query, first] of [
      ['how do I rename a variable', 'rename_symbol'],
      ['I want to run the test', 'run_tests'],
      ['delete a file', 'delete_path'],
      ['format code', 'format_file'],
      ['stop the program', 'stop_run'],
      ['who calls this function?', 'find_calls'],
      ['switch to another window', 'select_window'],
      ['settings', 'get_settings'],
    ] as const) {
      const { result } = await connection.request('tools/call', { name: 'find_tools', arguments: { query } });
      assert.match(result.content[0].text, new RegExp(`^(\\[Note.*\\n)?${first}\\b`), query);
    }
  });

  it('leads nowhere that is switched off', async () => {
    const DISABLED = 'workspaceMcp.tools.disabled';
    const { call, names } = await open(undefined, { [DISABLED]: ['carve'] });
    assert.match(await call('call_tool', { name: 'carve', arguments: { word: 'x' } }), /switched off/);
    assert.match(await call('find_tools', { query: 'wood' }), /No tool fits/);
    connection?.fake.person.sets(DISABLED, ['call_tool', 'find_tools']);
    assert.deepEqual(await names(), ['lint']);
    const told = await call('call_tool', { name: 'paint', arguments: { word: 'x' } });
    assert.match(told, /call_tool is switched off/);
  });

  it('leads to what does not read in a window whose agents may not read', async () => {
    const run = { ...tool('cut', 'Cuts wood.'), operation: 'run' } as const;
    const tools = [...FEATURES.tools, run];
    connection = new Connection({
      features: { tools, core: new Set(['lint']) },
      user: { 'workspaceMcp.access.allowedOperations': ['run'] },
    });
    await connection.initialize();
    const { result } = await connection.request('tools/list');
    assert.deepEqual(
      result.tools.map(({ name }: { name: string }) => name),
      ['call_tool', 'find_tools'],
    );
    assert.match(result.tools[1].description, /what they are for: cut\. /);
    const query = { name: 'find_tools', arguments: { query: 'wood' } };
    const found = await connection.request('tools/call', query);
    assert.match(found.result.content[0].text, /^cut: Cuts wood/);
    assert.doesNotMatch(found.result.content[0].text, /carve/);
  });

  it('fits each client: the core has at most 24 tools in 16 KB, and names and descriptions are not cut', () => {
    const { tools, core } = catalogue(features, '1');
    const wrong = core.names.filter((name) => !tools.some((one) => one.name === name));
    assert.deepEqual(wrong, []);
    const listed = coreEntries({ tools, core });
    assert.ok(listed.length <= 24);
    assert.ok(Buffer.byteLength(JSON.stringify({ tools: listed })) <= 16 * 1024);
    const names = [...tools, ...core.search].map(({ name }) => name);
    for (const [id, client] of Object.entries<Client>(CLIENTS)) {
      const count = client.defers ? tools.length : listed.length;
      assert.ok(count <= (client.mostTools ?? 128), id);
      for (const name of names)
        assert.ok(`${ENTRY}__${name}`.length <= (client.longestName ?? 64), `${id} ${name}`);
      for (const { description = '' } of tools)
        assert.ok(description.length <= (client.longestDescription ?? 1_024), id);
    }
  });
});
