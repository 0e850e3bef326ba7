/**
 * Runs the official conformance suite, `node test/conformance/run.ts`, against the bundles that users get: over the product's own
 * HTTP; over an adapter → shim process → socket; and so against the same features in a server that the product hosts. Fails where a
 * scored scenario does, also where it only warns. Beside the first ones its scenarios for clients run with our hosting client, and
 * the official inspector looks at what the product lists.
 */
import '../compileCache.ts';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Machine } from '../wire/harness.ts';
import { startAll } from '../wire/hosting/support.ts';
import { Adapter } from './adapter.ts';
import { CLIENT_REVISIONS, runClientSuite } from './clientSuite.ts';
import { features } from './features/index.ts';
import { inspect } from './inspector.ts';
import { Peer } from './peer.ts';
import { printReport } from './report.ts';
import { runSuite, type Suite } from './suite.ts';

/** Milliseconds that one run of a suite may take. */
const LIMIT = 120_000;
/** Milliseconds for clients, which are started for each scenario. */
const CLIENT_LIMIT = 600_000;

const LATEST = '@modelcontextprotocol/conformance';
const NEXT = 'conformance-2026';

/** Not of tools that need a task, which the product has none of, nor of notifications, which it leaves out. */
const TASKS = [
  'lifecycle',
  'capability-negotiation',
  'wire-fields',
  'request-state-removal',
  'mrtr-input',
  'request-headers',
  'dispatch-and-envelope',
  'mrtr-composition',
].map((name) => `tasks-${name}`);

const SUITES: Suite[] = ['2025-11-25', '2026-07-28'].map((revision) => ({
  title: `Next release, all that ${revision} requires`,
  folder: NEXT,
  args: ['--requirements', revision],
  revision,
  ...(revision === '2026-07-28' && { extensions: TASKS }),
}));

/** What only HTTP has is in no list of what a revision requires. */
const HTTP_SUITES: Suite[] = [
  { title: 'Latest release, all scenarios', folder: LATEST, args: ['--suite', 'all'] },
  ...SUITES,
];

/** The roots of a hosted server are the folders of the window: the agent is never asked for its own. */
const ROOTS = ['input-required-result-basic-list-roots', 'input-required-result-multiple-input-requests'];

/** A hosted server makes no tasks of these tools: it is the SDK's. */
const HOSTED_SUITES = SUITES.map((suite) =>
  suite.revision === '2026-07-28' ? { ...suite, extensions: [], onPurpose: new Set(ROOTS) } : suite,
);

/** Resolves to whether all that counts has passed. The suite knows no tokens, and asks as a page of the server itself. */
async function run(machine: Machine, interrupted: AbortSignal): Promise<boolean> {
  const window = await machine.open({ features });
  const owners = () => [{ id: '1', name: 'suite', token: '' }];
  const origins = () => ['localhost', '127.0.0.1'].map((host) => `http://${host}:${port}`);
  const { port } = await window.serveHttp({ owners, origins });
  const url = `http://127.0.0.1:${port}/mcp`;
  const byHttp = await runSuites(machine, interrupted, ', over HTTP', HTTP_SUITES, url);
  const byShim = await runAll(
    machine,
    interrupted,
    ', over the shim',
    SUITES,
    () => new Peer(window.rawAgent()),
  );
  return byHttp && byShim;
}

/** Runs the suite on a server with the same features that the product hosts. */
async function runHosted(machine: Machine, interrupted: AbortSignal): Promise<boolean> {
  const args = [join(import.meta.dirname, 'hostedServer.ts'), machine.root];
  const conf = { command: process.execPath, args, sampling: 'agent', elicitation: 'agent' };
  const window = await machine.open({ trees: { hosted: {} }, servers: { conf } });
  await startAll(window);
  const startShim = () => new Peer(window.rawAgent(), 'conf');
  return await runAll(machine, interrupted, ', of a hosted server', HOSTED_SUITES, startShim);
}

async function runAll(
  machine: Machine,
  interrupted: AbortSignal,
  how: string,
  suites: readonly Suite[],
  startShim: () => Peer,
): Promise<boolean> {
  const adapter = new Adapter(startShim);
  try {
    return await runSuites(machine, interrupted, how, suites, await adapter.start());
  } finally {
    await adapter.stop();
  }
}

async function runSuites(
  machine: Machine,
  interrupted: AbortSignal,
  how: string,
  suites: readonly Suite[],
  url: string,
): Promise<boolean> {
  const passed: boolean[] = [];
  for (const suite of suites) {
    const results = mkdtempSync(join(machine.root, 'results'));
    const signal = AbortSignal.any([interrupted, AbortSignal.timeout(LIMIT)]);
    const scenarios = await runSuite(suite, { url, results, signal });
    passed.push(printReport({ ...suite, title: suite.title + how }, scenarios));
    signal.throwIfAborted();
  }
  return passed.every(Boolean);
}

/** Runs the scenarios for clients with our hosting client. */
async function runClients(machine: Machine, interrupted: AbortSignal): Promise<boolean> {
  const passed: boolean[] = [];
  for (const revision of CLIENT_REVISIONS) {
    const signal = AbortSignal.any([interrupted, AbortSignal.timeout(CLIENT_LIMIT)]);
    const where = { results: join(machine.root, `clients${revision}`), signal };
    const scenarios = await runClientSuite(NEXT, revision, where);
    passed.push(printReport({ title: `Next release, our client against servers of ${revision}` }, scenarios));
  }
  return passed.every(Boolean);
}

/** What the product itself lists; the suites above bring lists of their own. */
async function inspectProduct(machine: Machine): Promise<boolean> {
  const snippet = JSON.stringify({ Review: { body: 'Review $1' } });
  return inspect(await machine.open({ trees: { product: { '.vscode/a.code-snippets': snippet } } }));
}

const interrupt = new AbortController();
const stop = () => interrupt.abort(new Error('Interrupted.'));
process.once('SIGINT', stop).once('SIGTERM', stop);
const machine = new Machine();
try {
  const { signal } = interrupt;
  const asClient = async () => [await runClients(machine, signal), await inspectProduct(machine)];
  // Most of the scenarios of both wait for pauses.
  const beside = await Promise.all([run(machine, signal), asClient()]);
  // By itself: its notifications take two hops, and the suite gives them 1.5 s.
  const passed = [...beside.flat(), await runHosted(machine, signal)];
  process.exitCode = passed.every(Boolean) ? 0 : 1;
} finally {
  await machine.dispose();
}
