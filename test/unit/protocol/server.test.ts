import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { PromptProvider } from '../../../src/features/features.ts';
import { features } from '../../../src/features/index.ts';
import type { ResourceProvider } from '../../../src/features/resource.ts';
import { catalogue } from '../../../src/protocol/server.ts';
import { holdClock } from '../../fakes/clock.ts';
import { Connection, MODERN } from './agent.ts';

describe('protocol/server: the catalogue', () => {
  const made = catalogue(features, '0.0.0');
  let agent: Connection;
  beforeEach(() => {
    agent = new Connection({ features, user: { 'workspaceMcp.tools.profile': 'all' } });
  });
  afterEach(() => agent.close());

  /** This window has no notebooks, and nothing to debug with. */
  const useless = features.tools.filter(({ needs }) => needs === 'notebooks' || needs === 'debuggers');
  const useful = made.tools.filter(({ name }) => !useless.some((tool) => tool.name === name));
  const { serverInfo, instructions, capabilities, versions } = made;
  for (const version of [...versions.legacy, ...versions.modern])
    it(`says and lists what a live server does: ${version}`, async () => {
      const isModern = versions.modern.some((one) => one === version);
      const _meta = { ...MODERN, 'io.modelcontextprotocol/protocolVersion': version };
      const ask = async (method: string) =>
        (await agent.request(method, isModern ? { _meta } : undefined)).result;
      if (isModern)
        assert.partialDeepStrictEqual(await ask('server/discover'), {
          instructions,
          capabilities: capabilities.modern,
          supportedVersions: versions.modern,
        });
      else
        assert.deepEqual((await agent.initialize(version)).result, {
          protocolVersion: version,
          serverInfo,
          instructions,
          capabilities: capabilities.legacy,
        });
      assert.deepEqual((await ask('tools/list')).tools, useful);
      assert.deepEqual((await ask('resources/templates/list')).resourceTemplates, made.resourceTemplates);
    });

  it('is plain JSON, of one page', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(made)), made);
    assert.ok(made.tools.length < 100 && made.resourceTemplates.length < 100);
  });
});

describe('protocol/server: lists', () => {
  it('of tools, prompts and templates are on one page: many clients read only the first', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `n${index}`);
    const watch = () => ({ dispose() {} });
    const prompts = { list: async () => names.map((name) => ({ name })), watch };
    const moreTemplates = () => names.map((name) => ({ name, uriTemplate: `x:${name}/{y}` }));
    const listed = { inputSchema: { type: 'object' } };
    const tools = names.map((name) => ({
      name,
      group: 'hosted',
      operation: 'read',
      listed: { ...listed, name },
    }));
    const list = () => ({ listed: tools, hidden: [] });
    const connection = new Connection({
      features: {
        tools: [],
        toolSources: [{ list, find: () => undefined, watch } as never],
        prompts: [prompts as unknown as PromptProvider],
        resources: [{ templates: [], moreTemplates, watch } as unknown as ResourceProvider],
      },
    });
    await connection.initialize();
    for (const [method, list] of [
      ['tools/list', 'tools'],
      ['prompts/list', 'prompts'],
      ['resources/templates/list', 'resourceTemplates'],
    ] as const) {
      const { result } = await connection.request(method);
      assert.deepEqual([result[list].length, result.nextCursor], [names.length, undefined], method);
    }
    connection.close();
  });
});

/** What a session may have gained for good, in bytes: its last calls, which the view shows. Each call sends 10 KB. */
const ALLOWANCE = 512 * 1024;

setFlagsFromString('--expose_gc');
const collect: () => void = runInNewContext('gc');

describe('protocol/server: memory', () => {
  const clock = holdClock();

  it('is back at its baseline after 100 calls', async () => {
    const agent = new Connection();
    const params = { name: 'echo', arguments: { say: 'x'.repeat(10_000) }, _meta: MODERN };
    const heap = async (): Promise<number> => {
      for (let count = 0; count < 100; count++) {
        await agent.request('tools/call', params);
        agent.received.length = 0;
        agent.lines.length = 0;
      }
      await clock.pass(1_000); // the last call is noted soon after its answer
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = await heap(); // what the engine compiles on the way is no leak
    const after = await heap();
    agent.close();
    assert.ok(after - before < ALLOWANCE, `${after - before} bytes more`);
  });
});
