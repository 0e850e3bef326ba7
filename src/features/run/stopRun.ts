import * as z from 'zod';
import { defineTool, STARTS_PROGRAMS, text } from '../tool.ts';
import { runText } from './runText.ts';

/** UTF-16 units of its output that are shown. */
const LAST_OUTPUT = 4_000;
/** Milliseconds for a run to end once it was told to. */
const ENDING = 5_000;

/** Stops a run. */
export const stopRun = defineTool({
  name: 'stop_run',
  title: 'Stop run',
  description:
    'Stops a run with all its processes, and returns its last output. Use it for what would go on, such as a server.',
  group: 'run',
  operation: 'run',
  annotations: { ...STARTS_PROGRAMS, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ run: z.int().min(1) }),
  onlyLooks: () => true, // it ends what the user has allowed, and nothing else
  async run({ run: id }, ctx, call) {
    const run = ctx.agentRuns.get(id);
    if (run.result) return text(runText(run, ctx, LAST_OUTPUT), 'It had ended before.');
    run.running?.stop('agent');
    await run.wait(ENDING, call.signal);
    return text(runText(run, ctx, LAST_OUTPUT));
  },
});
