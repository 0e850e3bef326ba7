import assert from 'node:assert/strict';
import { editorTools } from '../../../../src/features/hosted/editorTools.ts';
import { callTool } from '../../../../src/protocol/call.ts';
import { until } from '../../../until.ts';
import { CALL, openWindow } from '../window.ts';

describe('features/hosted/editorTools', () => {
  const tools = [
    { name: 'get_weather', description: 'Weather', tags: [], inputSchema: { type: 'object' } },
    { name: 'mcp_memory_read', description: 'Of an MCP server', tags: ['mcp'], inputSchema: undefined },
  ];

  it('are offered if the user has set that, and asks before it is used', async () => {
    const { ctx, fake, run, consent } = openWindow();
    const invokeTool = async (name: string, { input }: { input: object }) => ({
      content: [
        { value: `${name} ${JSON.stringify(input)}` },
        { data: new Uint8Array([1]), mimeType: 'image/png' },
      ],
    });
    const code = Object.create(ctx.vscode, { lm: { value: { tools, invokeTool } } });
    const withTools = { ...ctx, vscode: code };
    assert.deepEqual(editorTools.all(withTools), []);
    fake.person.sets('workspaceMcp.hosting.editorTools', true);
    const [tool, ...others] = editorTools.all(withTools);
    assert.deepEqual([tool?.name, others], ['vscode__get_weather', []]);
    assert.ok(tool);
    consent.answers.push({ allow: 'once' });
    const { content } = await run(tool, { place: 'here' }, undefined, withTools);
    assert.deepEqual(content, [
      { type: 'text', text: 'get_weather {"place":"here"}' },
      { type: 'image', data: 'AQ==', mimeType: 'image/png' },
    ]);
    assert.deepEqual(consent.questions[0]?.server, { key: 'vscode', name: 'VS Code', tool: 'get_weather' });
  });

  it('end the question if they are switched off meanwhile', async () => {
    const window = openWindow();
    const { ctx, fake, consent } = window;
    const invokeTool = () => assert.fail('it is called');
    const code = Object.create(ctx.vscode, { lm: { value: { tools, invokeTool } } });
    const withTools = { ...ctx, vscode: code };
    fake.person.sets('workspaceMcp.hosting.editorTools', true);
    const [tool] = editorTools.all(withTools);
    const params = { name: tool?.name ?? '', arguments: {} };
    const waiting = callTool(tool, params, { ctx: withTools, approvals: window.approvals }, CALL);
    await until(() => consent.open === 1, 'the question');
    fake.person.sets('workspaceMcp.hosting.editorTools', false);
    assert.equal(consent.open, 0);
    assert.match(
      JSON.stringify(await waiting),
      /switched off here by the setting workspaceMcp.hosting.editorTools/,
    );
  });
});
