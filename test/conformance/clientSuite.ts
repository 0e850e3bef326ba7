import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Check, checksIn, requiredBy, runProgram, type Scenario } from './suite.ts';

/** Scenarios that run at the same time: some measure pauses. */
const AT_ONCE = 2;

/** Checks that our client does not pass, by scenario and name, and why. */
const EXPECTED = new Map([
  [
    'auth/basic-cimd Client ID Metadata Document Usage',
    'A SHOULD: the document needs a web site of ours, so clients are registered dynamically.',
  ],
]);

/** Scenarios that no list requires, by revision. */
const FURTHER = new Map([
  ['2025-03-26', ['auth/2025-03-26-oauth-metadata-backcompat', 'auth/2025-03-26-oauth-endpoint-fallback']],
  ['2025-11-25', ['json-schema-2020-12-preservation']],
  ['2026-07-28', ['json-schema-2020-12-preservation']],
]);

/** The revisions with scenarios for clients. */
export const CLIENT_REVISIONS = [...FURTHER.keys()];

/** Runs the scenarios for clients of a revision, those that it requires and a few more, with our hosting client. */
export async function runClientSuite(
  folder: string,
  revision: string,
  { results, signal }: { results: string; signal: AbortSignal },
): Promise<Scenario[]> {
  const required = revision === '2025-03-26' ? [] : requiredBy(folder, revision, 'client');
  const names = [...required, ...(FURTHER.get(revision) ?? [])];
  const scenarios: Scenario[] = [];
  const next = async (): Promise<void> => {
    for (let name = names.shift(); name; name = names.shift()) {
      const output = join(results, name.replaceAll('/', '-'));
      mkdirSync(output, { recursive: true });
      const options = ['--spec-version', revision, '--scenario', name, '--output-dir', output];
      scenarios.push(await runScenario(folder, name, { options, output, signal }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return scenarios;
}

async function runScenario(
  folder: string,
  name: string,
  { options, output, signal }: { options: readonly string[]; output: string; signal: AbortSignal },
): Promise<Scenario> {
  const command = `${process.execPath} ${fileURLToPath(new URL('client.ts', import.meta.url))}`;
  const args = ['client', '--command', command, '--timeout', '60000', ...options];
  const { said, complaints } = await runProgram(folder, args, signal);
  const checks = checksIn(output);
  if (/CLIENT (EXITED WITH ERROR|TIMED OUT)/.test(complaints))
    checks.push({ name: 'run', status: 'FAILURE', errorMessage: said + complaints });
  return { name, checks: checks.map((check) => withoutExpected(name, check)) };
}

const withoutExpected = (scenario: string, check: Check): Check =>
  EXPECTED.has(`${scenario} ${check.name}`) ? { ...check, status: 'SKIPPED' } : check;
