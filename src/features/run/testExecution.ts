import type * as vscode from 'vscode';
import type { AgentRun, StoppedBy } from '../../services/run/agentRun.ts';
import { lastFailures, runTestsOf } from '../../services/run/testRuns.ts';
import type { Context } from '../context.ts';
import { reportOf, summaryOf, type TestResults } from './testReport.ts';

/** What is to be run: all tests of places, some tests, or those that failed last. */
export interface WantedTests {
  uris: readonly vscode.Uri[];
  ids: readonly string[] | undefined;
  failed: boolean;
  coverage: boolean;
  /** @throws UserError if it may not run any more */
  require(): Promise<void>;
}

/** Runs them, one place after the other, to the end of the run. */
export async function executeTests(run: AgentRun, wanted: WantedTests, ctx: Context): Promise<void> {
  const { uris, ids, failed, coverage } = wanted;
  if (run.result) return; // stopped while it waited for its turn
  run.running = {
    stop(by) {
      stoppedBy = by;
      void ctx.vscode.commands.executeCommand('testing.cancelRun');
    },
  };
  let stoppedBy: StoppedBy | undefined;
  try {
    const results: TestResults = { ids, file: uris[0] };
    for (const uri of failed || ids ? [undefined] : uris) {
      if (stoppedBy) break;
      await wanted.require();
      await executePart(uri, results, coverage, ctx);
    }
    run.print(reportOf(results, ctx));
    const none =
      coverage && results.outcomes?.length === 0 && 'no test ran: their extension offers no coverage';
    run.end({ outcome: none || summaryOf(results), ...(stoppedBy && { stoppedBy }) });
  } catch (error) {
    run.end({ failed: (error as Error).message });
  }
}

/** @param uri undefined for the tests that were chosen, or failed last */
async function executePart(
  uri: vscode.Uri | undefined,
  results: TestResults,
  coverage: boolean,
  { vscode, files }: Context,
): Promise<void> {
  const { executeCommand } = vscode.commands; // VS Code tells what came of the tests of a place only
  if (uri) {
    const outcomes = await runTestsOf(vscode, uri, coverage);
    if (!outcomes) return; // what failed is of another run
    results.outcomes = [...(results.outcomes ?? []), ...outcomes];
  } else if (results.ids) await executeCommand('vscode.runTestsById', coverage ? 8 : 2, ...results.ids);
  else await executeCommand('testing.reRunFailedFromLastRun');
  const failures = await lastFailures(vscode, files.isClosed);
  if (failures) results.failures = [...(results.failures ?? []), ...failures];
}
