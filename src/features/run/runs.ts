import * as z from 'zod';
import { UserError } from '../../core/messages.ts';
import type { AgentRun } from '../../services/run/agentRun.ts';
import { lastFailures } from '../../services/run/testRuns.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { editorResource } from '../editorResource.ts';
import { defineTool, LOOKS_ONLY, STARTS_PROGRAMS, text } from '../tool.ts';
import { endText, runText, shownOf, stateText } from './runText.ts';
import { closedNote, closedOf, failureText } from './testReport.ts';

export const readRun = defineTool({
  name: 'read_run',
  title: 'Read run',
  description:
    'Reads state and output of a run of any agent: command, task, tests or cells. Use it to wait for its end, or for a text in its output.',
  group: 'run',
  hints: { search: 'output of a running command or background process' },
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: z.strictObject({
    run: z
      .int()
      .min(1)
      .optional()
      .describe("Its number. Default: failures of the last tests, the user's too"),
    wait: z.number().optional().describe('Seconds; default 0, with until 45'),
    until: args.query
      .regex(/^[^\n]+$/)
      .optional()
      .describe('Text to wait for; counts from fromLine on'),
    fromLine: z.int().min(1).optional().describe('Default: start and end'),
    maxCharacters: args.maxCharacters,
  }),
  async run({ run: id, wait, until, fromLine, maxCharacters }, ctx, call) {
    ctx.files.policy.requireOperation('run'); // outputs may hold secrets
    if (id === undefined) {
      const states = ctx.agentRuns.all.filter(({ result }) => !result).map((run) => stateText(run, ctx));
      if (until === undefined) return text([await failedLast(ctx), ...states].join('\n'));
      throw new UserError(['Pass run, the number of a run.', ...states].join('\n'), { lines: true });
    }
    const run = ctx.agentRuns.get(id);
    const finds = until !== undefined && finder(run, ctx, until, fromLine);
    await run.wait(args.waitTime(wait ?? (finds ? 45 : 0)), call.signal, finds || undefined);
    const missed = finds && !finds() && `"${until}" is not in the output${run.result ? '' : ' yet'}.`;
    return text(runText(run, ctx, maxCharacters, fromLine), missed || undefined);
  },
});

/**
 * Whether a text has come, each time it is called. It looks in what the agent may see: else it could find out the rest by
 * guessing; and only at lines that it has not seen whole.
 */
function finder(run: AgentRun, ctx: Context, until: string, fromLine = 1): () => boolean {
  let from = fromLine;
  let isFound = false;
  return () => {
    if (isFound) return true;
    const { head, tail, count } = shownOf(run, ctx, from);
    isFound = [head, tail].some((lines) => lines.some((line) => line.includes(until)));
    from = Math.max(from, count); // the last line may go on
    return isFound;
  };
}

/** Of the last run of tests in this window, whoever started it. */
async function failedLast({ vscode, files }: Context): Promise<string> {
  const failures = await lastFailures(vscode, files.isClosed);
  if (!failures) return 'This version of VS Code does not tell what failed. Call run_tests.';
  if (failures.length === 0)
    return 'VS Code tells of no test that failed in the last run of tests. Pass run to read another run.';
  const told = failures.filter(({ isClosed }) => !isClosed).map(failureText);
  return files.redactor.text([...told, ...closedNote(closedOf(failures))].join('\n'));
}

/** As a terminal sends them. */
const KEYS = {
  ...({ enter: '\r', 'ctrl+c': '\x03', 'ctrl+d': '\x04', escape: '\x1b', tab: '\t' } as const),
  ...({ up: '\x1b[A', down: '\x1b[B', right: '\x1b[C', left: '\x1b[D' } as const),
};

const KEY_NAMES = Object.keys(KEYS) as [keyof typeof KEYS];

export const sendToRun = defineTool({
  name: 'send_to_run',
  title: 'Type into run',
  description:
    'Types text or a key into the program of a run, and returns what it prints. Use it if the program asks something. Leave secrets to the user, who can type too.',
  group: 'run',
  operation: 'run',
  annotations: STARTS_PROGRAMS,
  input: z.strictObject({
    run: z.int().min(1),
    text: z.string().max(10_000).optional().describe('Then Enter'),
    key: z.enum(KEY_NAMES).optional().describe('Replaces Enter'),
    wait: args.wait(2),
  }),
  async run({ run: id, text: typed, key, wait }, ctx, call) {
    const run = ctx.agentRuns.get(id);
    if (typed === undefined && !key) throw new UserError('Pass text, key, or both.');
    if (run.result) throw new UserError(`Run ${id} has ended. Nothing was sent.`);
    const { send, isTerminal, inputNote } = run.running ?? {};
    if (!send) throw new UserError(`Run ${id} takes no input. Nothing was sent.`);
    await call.approve({
      kind: 'run',
      subject: run.title,
      arguments: { text: typed ?? '', ...(key && { key }), ...(inputNote && { note: inputNote }) },
    });
    if (run.result) throw new UserError(`Run ${id} has ended meanwhile. Nothing was sent.`);
    const input = (typed ?? '') + (key ? KEYS[key] : KEYS.enter);
    send(isTerminal ? input : input.replaceAll('\r', '\n'));
    const from = run.output.count;
    await run.wait(args.waitTime(wait), call.signal);
    return text(runText(run, ctx, args.DEFAULT_CHARACTERS, Math.max(1, from)));
  },
});

/** UTF-16 units of its output that are shown. */
const LAST_OUTPUT = 4_000;
/** Milliseconds for a run to end once it was told to. */
const ENDING = 5_000;

export const stopRun = defineTool({
  name: 'stop_run',
  title: 'Stop run',
  description:
    'Stops a run with all its processes, and returns its last output. Use it to end a background process, such as a server.',
  group: 'run',
  hints: { search: 'stop, kill or end a background process' },
  operation: 'run',
  annotations: { ...STARTS_PROGRAMS, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ run: z.int().min(1) }),
  async run({ run: id }, ctx, call) {
    call.goesOn(); // it ends what the user has allowed, and nothing else
    const run = ctx.agentRuns.get(id);
    if (run.result) return text(runText(run, ctx, LAST_OUTPUT), 'It had ended before.');
    run.running?.stop('agent');
    await run.wait(ENDING, call.signal);
    return text(runText(run, ctx, LAST_OUTPUT));
  },
});

/** Characters of the last line that has something in it. */
const MOST_LINE = 500;
/** Lines from the end in which it is looked for. */
const LOOK_BACK = 50;

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
