/**
 * Runs the official conformance suite, `node test/conformance/run.ts`: the suite → HTTP adapter → shim process → socket
 * → the session code of the bundle that users get. Fails where a scored scenario does, also where it only warns. Then its
 * scenarios for clients run with our hosting client, and the official inspector looks at what the product lists.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Machine } from '../wire/harness.ts';
import { Adapter } from './adapter.ts';
import { CLIENT_REVISIONS, runClientSuite } from './clientSuite.ts';
import { features } from './features/index.ts';
import { inspect } from './inspector.ts';
import { printReport } from './report.ts';
import { runSuite, type Suite } from './suite.ts';

/** Milliseconds that one run of a suite may take. */
const LIMIT = 120_000;
/** The same for clients, which are started for each scenario. */
const CLIENT_LIMIT = 600_000;

const LATEST = '@modelcontextprotocol/conformance';
const NEXT = 'conformance-2026';

const SUITES: Suite[] = [
  { title: 'Latest release, 2025-11-25', folder: LATEST, args: ['--spec-version', '2025-11-25'] },
  ...['2025-11-25', '2026-07-28'].map((revision) => ({
    title: `Next release, all that ${revision} requires`,
    folder: NEXT,
    args: ['--requirements', revision],
    revision,
  })),
];

/** Resolves to whether all that counts has passed. */
async function run(machine: Machine, interrupted: AbortSignal): Promise<boolean> {
  const window = await machine.open({ features });
  const adapter = new Adapter(() => window.rawAgent());
  const url = await adapter.start();
  try {
    let passedAll = true;
    for (const [index, suite] of SUITES.entries()) {
      const results = join(machine.root, `results${index}`);
      mkdirSync(results);
      const signal = AbortSignal.any([interrupted, AbortSignal.timeout(LIMIT)]);
      const { passed, scored } = printReport(suite, await runSuite(suite, { url, results, signal }));
      passedAll &&= passed === scored;
      signal.throwIfAborted();
    }
    return passedAll;
  } finally {
    await adapter.stop();
  }
}

/** Runs the scenarios for clients with our hosting client. */
async function runClients(machine: Machine, interrupted: AbortSignal): Promise<boolean> {
  let passedAll = true;
  for (const revision of CLIENT_REVISIONS) {
    const signal = AbortSignal.any([interrupted, AbortSignal.timeout(CLIENT_LIMIT)]);
    const where = { results: join(machine.root, `clients${revision}`), signal };
    const scenarios = await runClientSuite(NEXT, revision, where);
    const title = `Next release, our client against servers of ${revision}`;
    const { passed, scored } = printReport({ title, folder: NEXT, args: [] }, scenarios);
    passedAll &&= passed === scored;
  }
  return passedAll;
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
  const passed = [
    await run(machine, interrupt.signal),
    await runClients(machine, interrupt.signal),
    await inspectProduct(machine),
  ];
  process.exitCode = passed.every(Boolean) ? 0 : 1;
} finally {
  await machine.dispose();
}
