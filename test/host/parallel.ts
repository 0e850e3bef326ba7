/** Runs of a program at the same time. */
import { fork, type Serializable } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { own } from './cleanup.ts';
import type { Results } from './mochaRun.ts';

/**
 * Runs a program once for each list of arguments. If several run at a time, the output of each is printed when it ends.
 * Each sends its results to this process; without them it counts as one failure.
 *
 * @param jobs runs at a time
 */
export async function runInParallel(
  program: string,
  runs: readonly (readonly string[])[],
  jobs: number,
): Promise<Results> {
  const total: Results = { passed: 0, failures: [], notRun: 0 };
  const waiting = [...runs];
  const isAlone = Math.min(jobs, runs.length) === 1;
  const work = async () => {
    for (let args = waiting.shift(); args; args = waiting.shift()) {
      const { passed, failures, notRun } = await runOne(program, args, isAlone);
      total.passed += passed;
      total.notRun += notRun;
      total.failures.push(...failures);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return total;
}

async function runOne(program: string, args: readonly string[], isAlone: boolean): Promise<Results> {
  const output = isAlone ? 'inherit' : 'pipe';
  const child = fork(program, args, { stdio: ['ignore', output, output, 'ipc'] });
  let results: Results = { passed: 0, failures: [`${args[0]}: it ended without results`], notRun: 0 };
  child.on('message', (message: Serializable) => {
    results = message as unknown as Results;
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const kill = () => child.kill(); // the child ends what it has started
  const close = () => {
    kill();
    return exited;
  };
  const disown = own({ close, kill });
  const printed = await Promise.all([child.stdout && text(child.stdout), child.stderr && text(child.stderr)]);
  await exited;
  disown();
  process.stdout.write(printed[0] ?? '');
  process.stderr.write(printed[1] ?? '');
  return results;
}
