import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** One run of the official suite: a release of it, and which of its scenarios. */
export interface Suite {
  title: string;
  /** Folder of the package in node_modules. */
  folder: string;
  args: readonly string[];
  /** The revision whose required scenarios count; all that run where the release knows no such list. */
  revision?: string;
  /** Scenarios of extensions that count, too. */
  extensions?: readonly string[];
  /** Scenarios that must not pass, because the product does otherwise on purpose. */
  onPurpose?: ReadonlySet<string>;
}

export interface Check {
  name: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

export interface Scenario {
  name: string;
  checks: readonly Check[];
}

/** Runs the suite's program. @param folder of its package in node_modules */
export async function runProgram(folder: string, args: readonly string[], signal: AbortSignal) {
  // It asks nobody but this machine: no proxy stands between.
  const env = { ...process.env, NO_PROXY: '127.0.0.1,localhost', NODE_USE_ENV_PROXY: undefined };
  const program = join(modules, folder, 'dist/index.js');
  const child = spawn(process.execPath, [program, ...args], {
    env,
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve, reject) => {
    // Being ended is an error too; what it has found out until then is told all the same.
    child.on('error', (error) => signal.aborted || reject(error)).once('close', () => resolve());
  });
  const [said, complaints] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { said, complaints };
}

/** Runs a suite against a server, until the signal at most: what it has found out by then is in a folder, by scenario. */
export async function runSuite(
  suite: Suite,
  { url, results, signal }: { url: string; results: string; signal: AbortSignal },
): Promise<Scenario[]> {
  const args = ['server', '--url', url, '--output-dir', results, ...suite.args];
  const { said, complaints } = await runProgram(suite.folder, args, signal);
  const { folder, revision, extensions = [] } = suite;
  const ran = [...said.matchAll(/^=== Running scenario: (.+) ===$/gm)].map(([, name = '']) => name);
  if (ran.length === 0 && !signal.aborted)
    throw new Error(`${suite.title} ran nothing.\n${said}\n${complaints}`);
  const folders = readdirSync(results);
  // What counts and did not run would be missed by nobody.
  const names = revision === undefined ? ran : [...requiredBy(folder, revision, 'server'), ...extensions];
  return names.map((name) => {
    const output = folders.find((folder) => isOf(folder, name));
    return { name, checks: checksIn(output && join(results, output)) };
  });
}

/** The scenarios that a revision requires. */
export function requiredBy(folder: string, revision: string, of: 'server' | 'client'): string[] {
  const file = readFileSync(join(modules, folder, 'requirements', `${revision}.yaml`), 'utf8');
  const list = new RegExp(`^${of}:\\n((?: {2}- .+\\n)+)`, 'm').exec(file)?.[1] ?? '';
  return [...list.matchAll(/- (.+)/g)].map(([, name = '']) => name);
}

/** A folder is named by its scenario and the time. */
const isOf = (folder: string, scenario: string): boolean =>
  folder.replace(/-\d{4}-\d\d-\d\dT[\w-]+$/, '') === `server-${scenario}`;

/** What a scenario has left in its folder. */
export function checksIn(output = ''): Check[] {
  try {
    const file = readdirSync(output, { recursive: true }).find((path) => /checks\.json$/.test(`${path}`));
    return JSON.parse(readFileSync(join(output, `${file}`), 'utf8'));
  } catch {
    return [{ name: 'run', status: 'FAILURE', errorMessage: 'It has left no result.' }];
  }
}
