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
/** Milliseconds that one list may take. */
const LIMIT = 60_000;

/**
 * Has the official inspector look at every list of the product, in both eras, as strictly as it can: it fails at a
 * schema that some model provider would refuse, and at an answer that is not as MCP has it.
 *
 * @returns whether it found nothing
 */
export async function inspect(window: TestWindow): Promise<boolean> {
  const folder = await ensurePackage('@modelcontextprotocol/inspector', VERSION);
  console.log(`\nInspector ${VERSION}, --strict`);
  const { args, cwd, env } = window.command();
  const program = [join(folder, 'clients/launcher/build/index.js'), '--cli', '--format', 'json'];
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const problems: (string | undefined)[] = [];
  const { port } = await window.serveHttp();
  for (const [path, era] of [
    ['mcp', 'legacy'],
    ['mcp', 'modern'],
    ['sse', 'legacy'],
  ] as const) {
    const asked = [
      '--method',
      'tools/list',
      '--protocol-era',
      era,
      '--header',
      'Authorization: Bearer secret',
    ];
    const problem = await problemOf(
      [...program, ...asked, `--server-url=http://127.0.0.1:${port}/${path}`],
      cwd,
      'tools',
    );
    console.log(`  ${problem ? '✘' : '✔'} tools/list, ${era}, /${path}${problem ? `: ${problem}` : ''}`);
    problems.push(problem);
  }
  for (const era of ['legacy', 'modern'])
    for (const [method, entries, ...options] of LISTS) {
      const asked = ['--method', method, '--protocol-era', era, ...options];
      const problem = await problemOf([...program, ...asked, ...variables, ...args], cwd, entries);
      console.log(`  ${problem ? '✘' : '✔'} ${method}, ${era}${problem ? `: ${problem}` : ''}`);
      problems.push(problem);
    }
  return problems.every((problem) => problem === undefined);
}

async function problemOf(words: string[], cwd: string, entries: string): Promise<string | undefined> {
  const options = { cwd, env: { ...process.env, HOME: cwd }, timeout: LIMIT };
  const started = promisify(execFile)(process.execPath, words, options);
  const ended = await started.catch((error: Error & { stdout: string; stderr: string }) => error);
  if (ended instanceof Error) return `${ended.message}\n${ended.stdout}\n${ended.stderr}`;
  if (ended.stderr.trim()) return ended.stderr;
  const found = JSON.parse(ended.stdout).result?.[entries];
  return Array.isArray(found) && found.length > 0 ? undefined : `It has listed no ${entries}.`;
}
