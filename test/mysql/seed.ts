/** The server of seed 004 and what it says there, on any database that speaks as MySQL does. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeTemporary, removeTemporary } from '../temporary.ts';
import { type TestWindow, useMachine } from '../wire/harness.ts';
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

/** What the user puts into `workspaceMcp.servers`; the server's file is in the workspace folder. Node as the tests have it. */
export const settingOf = ({ env }: Database) => ({
  mysql: { command: process.execPath, args: ['mysql-mcp.js'], cwd: `\${workspaceFolder}`, env },
});

/** Puts the server's file and its modules into a folder. */
export function plantServer(folder: string, { modules }: Database): void {
  copyFileSync(new URL('mysql-mcp.js', import.meta.url), join(folder, 'mysql-mcp.js'));
  symlinkSync(modules, join(folder, 'node_modules'), 'junction');
}

/** Tests of the server on a database. */
export function describeExchange(prepare: () => Promise<Database>): void {
  it('answers line by line as the seed shows', async () => exchangeDirectly(await prepare()));

  describe('through the shim', () => {
    const machine = useMachine();
    it('answers an agent as the seed shows', async () =>
      exchangeThroughUs(await prepare(), (servers) => machine.open({ servers })));
  });
}

async function exchangeThroughUs(
  database: Database,
  open: (servers: Record<string, object>) => Promise<TestWindow>,
): Promise<void> {
  const window = await open(settingOf(database));
  plantServer(window.path(), database);
  await startAll(window);
  const agent = window.rawAgent();
  agent.write(`${SENT.replace('mysql_query', 'mysql__mysql_query')}\n`);
  const [initialized, listed, called] = ANSWERED.map((line) => JSON.parse(line));
  assert.equal((await agent.answerTo(1)).result.protocolVersion, initialized.result.protocolVersion);
  const { tools } = (await agent.answerTo(2)).result;
  const [tool] = listed.result.tools;
  assert.deepEqual(
    tools.filter(({ name }: { name: string }) => name.startsWith('mysql__')),
    [{ ...tool, name: 'mysql__mysql_query' }],
  );
  assert.deepEqual(await agent.answerTo(3), called);
  const params = { name: 'mysql__mysql_query', arguments: { sql: 'no SQL' } };
  assert.equal((await agent.request('tools/call', params)).error.code, -32603);
}

/** Sends the server the lines of the seed, and compares all that it writes. */
async function exchangeDirectly(database: Database): Promise<void> {
  const folder = makeTemporary();
  try {
    plantServer(folder, database);
    const { command, args, env } = settingOf(database).mysql;
    const server = spawn(command, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    server.stdin.write(`${SENT}\n`);
    const lines: string[] = [];
    for await (const line of createInterface({ input: server.stdout })) {
      lines.push(line);
      if (lines.length === ANSWERED.length) server.kill('SIGINT');
    }
    assert.deepEqual(lines, ANSWERED);
  } finally {
    removeTemporary(folder);
  }
}
