import assert from 'node:assert/strict';
import { editorTools } from '../../../../src/features/hosted/editorTools.ts';
import { callTool } from '../../../../src/protocol/tools.ts';
import { PNG } from '../../../picture.ts';
import { until } from '../../../until.ts';
import { CALL, cleanUp, openWindow } from '../window.ts';

describe('features/hosted/editorTools', () => {
  afterEach(cleanUp);

  const inputSchema = { type: 'object', properties: { 'place[]': { type: 'string' } } };
  const tools = [
    { name: 'get_weather', description: 'Weather', tags: [], inputSchema },
    { name: 'text', description: 'Models do not take it', tags: [], inputSchema: { type: 'string' } },
    { name: 'mcp_memory_read', description: 'Of an MCP server', tags: ['mcp'], inputSchema: undefined },
    ...['run_in_terminal', 'run_task', 'create_and_run_task', 'runTests', 'copilot_readFile'].map((name) => ({
      name,
      description: 'Of VS Code or Copilot',
      tags: [],
      inputSchema,
    })),
  ];

  /** A window in which extensions offer the tools. */
  function open(invokeTool: (...asked: never[]) => unknown) {
    const window = openWindow();
    const vscode = Object.create(window.ctx.vscode, { lm: { value: { tools, invokeTool } } });
    const allow = (value: boolean) => window.fake.person.sets('workspaceMcp.hosting.editorTools', value);
    return { ...window, ctx: { ...window.ctx, vscode }, allow };
  }

  it('are offered if the user has set that, and asks before it is used', async () => {
    const { ctx, allow, run, consent } = open(async (name: string, { input }: { input: object }) => ({
      content: [
        { value: `${name} ${JSON.stringify(input)}` },
        { data: Buffer.from(PNG, 'base64'), mimeType: 'image/jpeg' },
        { data: Uint8Array.of(1), mimeType: 'image/png' },
      ],
    }));
    assert.deepEqual(editorTools.list(ctx).listed, []);
    allow(true);
    const [tool, ...others] = editorTools.list(ctx).listed;
    assert.deepEqual([tool?.name, others], ['vscode__get_weather', []]);
    assert.ok(tool);
    consent.answers.push({ allow: 'once' });
    const { content } = await run(tool, { place: 'here' }, undefined, ctx);
    assert.deepEqual(content, [
      { type: 'text', text: 'get_weather {"place[]":"here"}' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      {
        type: 'text',
        text: '[A picture is left out: it is of no kind that models take (PNG, JPEG, GIF, WebP).]',
      },
    ]);
    assert.deepEqual(consent.questions[0]?.server, {
      description: 'Weather',
      key: 'vscode',
      name: 'VS Code',
      tool: 'get_weather',
    });
  });

  it('are described without what is redacted', () => {
    const { ctx, allow, fake } = open(() => assert.fail('it is called'));
    allow(true);
    fake.person.sets('workspaceMcp.access.redact', ['Wea\\w+']);
    const [{ listed } = {}] = editorTools.list(ctx).listed;
    assert.partialDeepStrictEqual(listed, { name: 'vscode__get_weather', description: '[redacted]' });
  });

  it('fail without what is redacted', async () => {
    const { ctx, allow, fake, run, consent } = open(async () => {
      throw new Error('No weather in Wales');
    });
    allow(true);
    fake.person.sets('workspaceMcp.access.redact', ['Wa\\w+']);
    const [tool] = editorTools.list(ctx).listed;
    assert.ok(tool);
    consent.answers.push({ allow: 'once' });
    const refused = run(tool, {}, undefined, ctx);
    await assert.rejects(refused, /^UserError: The tool failed: No weather in \[redacted\]$/);
  });

  it('end the question if they are switched off meanwhile', async () => {
    const { ctx, allow, consent, approvals, grantee } = open(() => assert.fail('it is called'));
    allow(true);
    const [tool] = editorTools.list(ctx).listed;
    const params = { name: tool?.name ?? '', arguments: {} };
    const waiting = callTool(tool, params, { ctx, approvals, grantee }, CALL);
    await until(() => consent.open === 1, 'the question');
    allow(false);
    assert.equal(consent.open, 0);
    assert.match(JSON.stringify(await waiting), /by the setting workspaceMcp.hosting.editorTools/);
  });
});
