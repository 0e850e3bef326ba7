import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensurePackage } from '../packages.ts';
import type { TestWindow } from '../wire/harness.ts';

const VERSION = '2.12.0';
/** Each with the name of its entries. Only of tools it looks at the schemas: the other lists have none. */
const LISTS: [method: string, entries: string, ...options: string[]][] = [
  ['tools/list', 'tools', '--strict'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['prompts/list', 'prompts'],
];
const ERAS = ['legacy', 'modern'];
/** Milliseconds that one list may take. */
const LIMIT = 60_000;

const run = promisify(execFile);

/**
 * Has the official inspector look at every list of the product, in both eras, as strictly as it can: it fails at a
 * schema that some model provider would refuse, and at an answer that is not as MCP has it.
 *
 * @returns whether it found nothing
 */
export async function inspect(window: TestWindow): Promise<boolean> {
  const folder = await ensurePackage('@modelcontextprotocol/inspector', VERSION);
  console.log(`\nInspector ${VERSION}, --strict`);
  let isClean = true;
  for (const era of ERAS)
    for (const [method, entries, ...options] of LISTS) {
      const asked = ['--method', method, '--protocol-era', era, ...options];
      const problem = await problemOf(folder, window, asked, entries);
      console.log(`  ${problem ? '✘' : '✔'} ${method}, ${era}${problem ? `: ${problem}` : ''}`);
      isClean &&= problem === undefined;
    }
  return isClean;
}

async function problemOf(
  folder: string,
  window: TestWindow,
  asked: readonly string[],
  entries: string,
): Promise<string | undefined> {
  const { args, cwd, env } = window.command();
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const program = join(folder, 'clients/launcher/build/index.js');
  const all = [program, '--cli', ...asked, '--format', 'json', ...variables, ...args];
  const options = { cwd, env: { ...process.env, HOME: cwd }, timeout: LIMIT };
  const started = run(process.execPath, all, options);
  const ended = await started.catch((error: Error & { stdout: string; stderr: string }) => error);
  if (ended instanceof Error) return `${ended.message}\n${ended.stdout}\n${ended.stderr}`;
  if (ended.stderr.trim()) return ended.stderr;
  const found = JSON.parse(ended.stdout).result?.[entries];
  return Array.isArray(found) && found.length > 0 ? undefined : `It has listed no ${entries}.`;
}
