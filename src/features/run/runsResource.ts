import type { Context } from '../context.ts';
import { editorResource } from '../editorResource.ts';
import { endText, shownOf } from './runText.ts';

/** Characters of the last line that has something in it. */
const MOST_LINE = 500;
/** Lines from the end in which it is looked for. */
const LOOK_BACK = 50;

/** What agents have started, for all of them. */
export const runs = editorResource({
  name: 'runs',
  all: {
    title: 'Runs',
    description:
      'Commands, tasks, tests and cells that agents started in this window, newest first: state, exit code and last line. read_run has their output.',
    priority: 0.6,
    read: (ctx) => ({ runs: ctx.agentRuns.all.map((run) => shown(run, ctx)) }),
  },

  require: ({ files }) => files.policy.requireOperation('run'),

  watch: ({ vscode }, onList) => vscode.workspace.onDidGrantWorkspaceTrust(onList),

  follow: ({ agentRuns }, { all }) => agentRuns.onDidChange(all),
});

function shown(run: Context['agentRuns']['all'][number], ctx: Context) {
  const { redactor } = ctx.files;
  const { id, kind, title, author, startedAt, endedAt, result } = run;
  const { head, tail } = shownOf(run, ctx, Math.max(1, run.output.count - LOOK_BACK));
  const last = [head, tail]
    .flatMap((lines) => lines.slice(-LOOK_BACK))
    .findLast((line) => line.trim() !== '');
  return {
    ...{ run: id, kind, agent: author.agent },
    title: redactor.text(title),
    startedAt: startedAt.toISOString(),
    ...(endedAt ? { endedAt: endedAt.toISOString() } : { running: true }),
    ...(result && {
      result: redactor.text(endText(result)),
      ...(result.exitCode !== undefined && { exitCode: result.exitCode }),
    }),
    ...(last !== undefined && { lastLine: last.slice(0, MOST_LINE) }),
  };
}
