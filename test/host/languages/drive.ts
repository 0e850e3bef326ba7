/**
 * Calls tools in a window with a language's server, on a copy of its project, and prints each answer:
 * `node test/host/languages/drive.ts LANGUAGE CALLS.json [PROJECT]`. CALLS.json has `[{ "tool": …, "arguments": … }]`; `"shell"` in the place
 * of a tool runs a command in the project, and `"wait"` waits so many seconds. PROJECT is a folder to copy instead of ours.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectAgent, windowRecord } from '../agent.ts';
import { findCases } from '../cases.ts';
import { closeAll } from '../cleanup.ts';
import { EMPTY_WINDOW, startHost } from '../headless/host.ts';
import { projectRoot } from '../paths.ts';
import { makeSandbox } from '../sandbox.ts';
import { writeExtensions } from './extensions.ts';
import { serversOf } from './servers.ts';

/** Nobody is there to ask. */
const ALL_ALLOWED = Object.fromEntries(
  ['edit', 'delete', 'run', 'task', 'test', 'debug', 'command'].map((kind) => [kind, 'allow']),
);

type Call = { tool: string; arguments?: Record<string, unknown> } | { shell: string } | { wait: number };

async function main(): Promise<void> {
  const [language = '', file = '', project] = process.argv.slice(2);
  if (!file) throw new Error('Which language, and which file of calls?');
  const servers = serversOf([language]);
  const calls: Call[] = JSON.parse(readFileSync(file, 'utf8'));
  const [one] = findCases(['languages']);
  if (!one) throw new Error('The case is gone.');
  const sandbox = makeSandbox(one);
  Object.assign(process.env, sandbox.env);
  const folder = join(sandbox.target, '..', language);
  if (project) {
    rmSync(folder, { recursive: true });
    cpSync(project, folder, { recursive: true, verbatimSymlinks: true });
  }
  await writeExtensions(sandbox.extensionsDir, servers);
  const host = await startHost({
    target: folder,
    extensionDevelopmentPath: projectRoot,
    extensionsDir: sandbox.extensionsDir,
    settings: { ...EMPTY_WINDOW, 'workspaceMcp.approvals': ALL_ALLOWED },
    report: console.error,
  });
  await windowRecord();
  const agent = await connectAgent(folder);
  for (const call of calls) {
    const started = performance.now();
    const answer = await run(call).catch((error: Error) => `ERROR ${error.message}`);
    console.log(`\n> ${JSON.stringify(call)} (${Math.round(performance.now() - started)} ms)\n${answer}`);
  }
  await agent.client.close();
  await host.close();
  await sandbox.endProcesses();
  sandbox.remove();

  async function run(call: Call): Promise<string> {
    if ('tool' in call) return agent.call(call.tool, call.arguments);
    if ('wait' in call) return delay(call.wait * 1000, '');
    return execFileSync('sh', ['-c', call.shell], { cwd: folder, encoding: 'utf8' });
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
await closeAll();
process.exit();
