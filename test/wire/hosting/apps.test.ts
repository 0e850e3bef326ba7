import assert from 'node:assert/strict';
import { APPS } from '../../../src/core/mcpExtensions.ts';
import { openPage } from '../../unit/features/hosted/appPage.ts';
import { calling } from '../calling.ts';
import { useMachine } from '../harness.ts';
import type { Message } from '../rawAgent.ts';
import { definition, trustAll } from './support.ts';

const PAGE = 'ui://hosted/mine/apps/page';

describe('wire/hosting/apps', () => {
  const machine = useMachine();

  /** A window with two servers that have apps, and an agent that shows apps. */
  async function open() {
    const servers = {
      mine: definition('apps', 'mine'),
      other: definition('apps', 'other', 'blob'),
      plain: definition('changing'),
    };
    const window = await machine.open({ servers });
    await trustAll(window);
    const agent = await window.greeted('2025-11-25', APPS);
    for (const server of window.hosting?.servers ?? []) await server.processes.read();
    const { tools } = (await agent.request('tools/list')).result;
    const byName = new Map<string, Message>(tools.map((tool: Message) => [tool.name, tool]));
    const pageOf = async (uri: string) => (await agent.request('resources/read', { uri })).result.contents[0];
    return { window, agent, byName, pageOf };
  }

  it("brings an app's calls to its own server, whatever they name, and no other tool lets apps call it", async () => {
    const { agent, byName, pageOf } = await open();
    const { _meta } = byName.get('mine__show');
    assert.deepEqual(_meta, { 'ui/resourceUri': PAGE, ui: { resourceUri: PAGE, own: 1 } });
    const { uri, mimeType, text, _meta: kept } = await pageOf(_meta.ui.resourceUri);
    assert.deepEqual([uri, mimeType], [PAGE, 'text/html;profile=mcp-app']);
    assert.deepEqual(kept.ui.csp.connectDomains, ['https://example.com']);
    const { post } = openPage(text);
    for (const own of ['show', 'read_file', 'a tool']) {
      const { params } = post({ method: 'tools/call', params: { name: own, arguments: {} } });
      assert.ok(byName.has(params.name), params.name); // the agent's program looks it up
      assert.equal((await calling(agent, params.name, {})).content[0].text, `mine: ${own}`);
    }
    const { params } = post({ method: 'tools/call', params: { name: 'other__show', arguments: {} } });
    assert.match((await calling(agent, params.name, {})).content[0].text, /Unknown tool "mine__other__show"/);
    const read = post({ method: 'resources/read', params: { uri: 'ui://more' } });
    assert.match(
      (await agent.request('resources/read', read.params)).result.contents[0].text,
      /mine<\/body>/,
    );
    for (const [name, tool] of byName) {
      const isOfApp = /^(mine|other)__/.test(name);
      assert.deepEqual(tool._meta?.ui?.visibility?.includes('app') ?? isOfApp, isOfApp, name);
    }
  });

  it('hides secrets in pages, also in those that come as bytes', async () => {
    const { window, pageOf } = await open();
    window.fake.person.sets('workspaceMcp.access.redact', ['secret-\\d', 'postMessage', 'mine', 'page']);
    for (const slug of ['mine', 'other']) {
      const { text } = await pageOf(`ui://hosted/${slug}/apps/page`);
      assert.match(text, /<title>\[redacted\]/);
      const { params } = openPage(text).post({ method: 'tools/call', params: { name: 'a' } });
      assert.equal(params.name, `${slug}__a`);
    }
  });

  it('gives an agent that shows no apps no tool that only apps call, and none finds it', async () => {
    const { window, agent, byName } = await open();
    assert.ok(byName.has('mine__read_file'));
    const plain = await window.greeted();
    const { tools } = (await plain.request('tools/list')).result;
    const names = tools.map(({ name }: Message) => name).filter((name: string) => name.startsWith('mine'));
    assert.deepEqual(names, ['mine__a_tool', 'mine__show']);
    assert.doesNotMatch(JSON.stringify(tools), /"visibility"/);
    window.fake.person.sets('workspaceMcp.tools.profile', 'core');
    for (const one of [plain, agent]) {
      const found = JSON.stringify(await calling(one, 'find_tools', { query: 'mine read_file' }));
      assert.doesNotMatch(found, /mine__read_file/);
      const called = await calling(one, 'call_tool', { name: 'mine__read_file', arguments: {} });
      assert.match(JSON.stringify(called), /There is no tool/);
      assert.match(JSON.stringify(await calling(one, 'mine__read_file')), /mine: read_file/);
    }
  });
});
