import assert from 'node:assert/strict';
import type { PromptProvider } from '../../../src/features/features.ts';
import type { ResourceProvider } from '../../../src/features/resource.ts';
import { Connection } from './agent.ts';

describe('protocol/lists', () => {
  it('of tools, prompts and templates are on one page: many clients read only the first', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `n${index}`);
    const watch = () => ({ dispose() {} });
    const prompts = { list: async () => names.map((name) => ({ name })), watch };
    const moreTemplates = () => names.map((name) => ({ name, uriTemplate: `x:${name}/{y}` }));
    const listed = { inputSchema: { type: 'object' } };
    const tools = names.map((name) => ({ name, group: 'hosted', listed: { ...listed, name } }));
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
