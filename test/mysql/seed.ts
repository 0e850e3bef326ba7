/** The server of seed 004 and what it says there, on any database that speaks as MySQL does. */
import assert from 'node:assert/strict';
import { copyFileSync, symlinkSync } from 'node:fs';
import { useMachine } from '../wire/harness.ts';
import { startAll } from '../wire/hosting/support.ts';

/** The whole exchange of the seed, as it is written there. */
const SENT = `
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"opencode","version":"1.0.0"}}}
{"jsonrpc":"2.0","method":"initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"mysql_query","arguments":{"sql":"SELECT * FROM users"}}}
`.trim();
const ANSWERED = String.raw`
{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"mysql-mcp","version":"1.0.0"}}}
{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"mysql_query","description":"Execute MySQL query","inputSchema":{"type":"object","properties":{"sql":{"type":"string","description":"SQL statement to execute"}},"required":["sql"]}}]}}
{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"[{\"id\":1,\"name\":\"张三\"}]"}]}}
`
  .trim()
  .split('\n');

export interface Database {
  /** Folder with a module `mysql2`. */
  modules: string;
  env: Record<string, string>;
}

/** Tests the server on a database. */
export function describeExchange(prepare: () => Promise<Database>): void {
  const machine = useMachine();

  it('answers an agent as the seed shows', async () => {
    const { modules, env } = await prepare();
    const command = { command: process.execPath, args: ['mysql-mcp.js'] };
    const window = await machine.open({
      servers: { mysql: { ...command, cwd: `\${workspaceFolder}`, env } },
    });
    copyFileSync(new URL('mysql-mcp.js', import.meta.url), window.path('mysql-mcp.js'));
    symlinkSync(modules, window.path('node_modules'), 'junction');
    await startAll(window);
    const agent = window.rawAgent();
    agent.write(`${SENT.replace('mysql_query', 'mysql__mysql_query')}\n`);
    const [initialized, listed, called] = ANSWERED.map((line) => JSON.parse(line));
    assert.equal((await agent.answerTo(1)).result.protocolVersion, initialized.result.protocolVersion);
    const { tools } = (await agent.answerTo(2)).result;
    const [tool] = listed.result.tools;
    const shown = tools.filter(({ name }: { name: string }) => name.startsWith('mysql__'));
    assert.deepEqual(shown, [{ ...tool, name: 'mysql__mysql_query' }]);
    assert.deepEqual(await agent.answerTo(3), called);
    const params = { name: 'mysql__mysql_query', arguments: { sql: 'no SQL' } };
    assert.equal((await agent.request('tools/call', params)).error.code, -32603);
  });
}
