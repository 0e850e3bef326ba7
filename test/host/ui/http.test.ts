/** A client that comes by HTTP: the person switches it on, gives it a token, sees it, and takes the token back. */
import assert from 'node:assert/strict';
import { until } from '../agent.ts';
import { dialog, entry, input, page, row } from '../caseWindow.ts';
import { choose, runCommand, screenshot } from '../headless/palette.ts';
import { openView } from '../headless/views.ts';

describe('a client by HTTP', () => {
  let url = '';
  let headers: Record<string, string>;
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'read_file', arguments: { path: 'src/answer.ts' } },
  });
  const post = () =>
    fetch(url, { method: 'POST', body, headers: { ...headers, 'Content-Type': 'application/json' } });

  it('is given a token and an address, once the person has switched it on', async () => {
    await runCommand(page, 'Workspace MCP: Connect Agent');
    await entry('Codex').waitFor();
    await input().fill('by HTTP');
    await choose(entry('Another Client, by HTTP'));
    await dialog().getByText('127.0.0.1').waitFor();
    await screenshot(page, 'http-on');
    await dialog().getByRole('button', { name: 'Switch On' }).click();
    await input().fill('My Script');
    await screenshot(page, 'http-name');
    await page.keyboard.press('Enter');
    await entry('Streamable HTTP').waitFor();
    await screenshot(page, 'http-what');
    await choose(entry('Streamable HTTP'));
    const copied = await until('the configuration', async () => {
      const text = await page.evaluate<string>('navigator.clipboard.readText()');
      return text.includes('Bearer') ? JSON.parse(text) : undefined;
    });
    ({ url, headers } = copied.mcpServers.workspace);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/w\/workspace\/mcp$/);
  });

  it('is an agent as any other', async () => {
    assert.match(await (await post()).text(), /answer/);
    await openView(page, 'Workspace MCP');
    await row(/^My Script, 1 call/);
    await runCommand(page, 'Workspace MCP: Show Server Menu');
    await entry(url).waitFor();
    await screenshot(page, 'http-menu');
    await page.keyboard.press('Escape');
  });

  it('finds the server at the same address after a restart, and begins anew', async () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'My Script', version: '1' },
      },
    };
    const send = (more: Record<string, string>) =>
      fetch(url, {
        method: 'POST',
        body: JSON.stringify(initialize),
        headers: { ...headers, 'Content-Type': 'application/json', ...more },
      });
    const session = { 'Mcp-Session-Id': (await send({})).headers.get('Mcp-Session-Id') ?? '' };
    await runCommand(page, 'Workspace MCP: Restart Server');
    // The server of before may still answer; the next one does not know the session.
    const isUnknown = async () => (await send(session).catch(() => undefined))?.status === 404;
    await until('the next server', async () => (await isUnknown()) || undefined);
    assert.equal((await send({})).status, 200);
  });

  it('is no page of another origin', async () => {
    const { origin } = new URL(url);
    const tried = await page.evaluate(
      async ([origin = '', body = '', token = '']) => {
        const seen: string[] = [];
        const see = async (what: string, response: Promise<Response>) =>
          seen.push(`${what}: ${await response.then((one) => one.text()).catch(() => 'nothing')}`);
        const authorized = { Authorization: token, 'Content-Type': 'application/json' };
        await see('a form', fetch(`${origin}/mcp`, { method: 'POST', body }));
        await see('with the token', fetch(`${origin}/mcp`, { method: 'POST', body, headers: authorized }));
        await see('a stream', fetch(`${origin}/sse`));
        const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, 'mcp');
        seen.push(
          await new Promise<string>((resolve) => {
            socket.onopen = () => resolve('WebSocket: open');
            socket.onerror = () => resolve('WebSocket: nothing');
          }),
        );
        return seen;
      },
      [origin, body, headers.Authorization ?? ''],
    );
    for (const one of tried) assert.match(one, /: nothing$/);
    assert.equal(tried.length, 4);
  });

  it('is nobody any more once the person has revoked its token', async () => {
    await runCommand(page, 'Workspace MCP: Manage Approvals');
    await entry('My Script').waitFor();
    await screenshot(page, 'http-revoke');
    await choose(entry('My Script'));
    await until('the end of the token', async () => (await post()).status === 401 || undefined);
    await page.keyboard.press('Escape');
  });
});
