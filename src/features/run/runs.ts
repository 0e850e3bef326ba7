import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { lastFailures } from '../../services/run/testRuns.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { editorResource } from '../editorResource.ts';
import { defineTool, LOOKS_ONLY, STARTS_PROGRAMS, text } from '../tool.ts';
import { endText, runText, shownOf, stateText } from './runText.ts';
import { closedNote, closedOf, failureText } from './testReport.ts';
import { untilText, waitFor } from './waiting.ts';

export const readRun = defineTool({
  name: 'read_run',
  title: 'Read run',
  description: "Reads state and output of any agent's run. Use it to wait for its end or a text.",
  group: 'run',
  hints: { search: 'output of a running command or background process' },
  operation: 'read',
  alsoNeeds: ['run'], // outputs may hold secrets
  annotations: LOOKS_ONLY,
  input: z.strictObject({
    run: z
      .int()
      .min(1)
      .optional()
      .describe("Default: lists runs, and the last tests' failures, the user's too"),
    wait: z.number().optional().describe('Default 0, with until 45'),
    until: untilText.describe('Text to wait for, from fromLine on'),
    fromLine: z.int().min(1).optional().describe('Default: start and end'),
    fromColumn: z.int().min(1).optional(),
    maxCharacters: args.maxCharacters,
  }),
  async run({ run: id, wait, until, fromLine, fromColumn, maxCharacters }, ctx, call) {
    if (id === undefined) {
      const runs = listed(ctx);
      if (until === undefined) return text(`${await failedLast(ctx)}\n${runs}`);
      throw new UserError(`Pass run, the number of a run.\n${runs}`, { lines: true });
    }
    const run = ctx.agentRuns.get(id);
    const ms = args.waitTime(wait ?? (until === undefined ? 0 : 45));
    const missed = await waitFor(run, { until, fromLine }, ctx, (isEnough) =>
      run.wait(ms, call.signal, isEnough),
    );
    const isFrom = fromLine !== undefined || fromColumn !== undefined;
    const place = isFrom ? { line: fromLine ?? 1, column: fromColumn ?? 1 } : undefined;
    return text(runText(run, ctx, maxCharacters, place), missed);
  },
});

/** Runs in a list, and those that go on. */
const MOST_LISTED = 20;

/** A line for each, the newest first. */
function listed(ctx: Context): string {
  const { all } = ctx.agentRuns;
  const shown = all.filter(({ result }, at) => at < MOST_LISTED || !result);
  const rest = all.length - shown.length;
  const lines = shown.map((run) => stateText(run, ctx));
  if (all.length === 0) return 'No agent has run anything in this window yet.';
  return [...lines, ...(rest > 0 ? [`${rest} older runs have ended.`] : [])].join('\n');
}

/** Failures in the last run of tests in this window, whoever started it. */
async function failedLast({ vscode, files }: Context): Promise<string> {
  const failures = await lastFailures(vscode, files.isClosed);
  if (!failures) return 'This version of VS Code does not tell what failed. Call run_tests.';
  if (failures.length === 0)
    return 'VS Code tells of no test that failed in the last run of tests. Pass run to read another run.';
  const texts = failures.filter(({ isClosed }) => !isClosed).map(failureText);
  return files.redactor.text([...texts, ...closedNote(closedOf(failures))].join('\n'));
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
  asksFor: 'run',
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
      ...{
        kind: 'run',
        subject: run.title,
        intent: { type: 'type', typed: typed ?? '', key: key ?? 'enter' },
      },
      arguments: { text: typed ?? '', ...(key && { key }), ...(inputNote && { note: inputNote }) },
    });
    if (run.result) throw new UserError(`Run ${id} has ended meanwhile. Nothing was sent.`);
    const input = (typed ?? '') + (key ? KEYS[key] : KEYS.enter);
    run.send(isTerminal ? input : input.replaceAll('\r', '\n'));
    const last = Math.max(1, run.output.count);
    await run.wait(args.waitTime(wait), call.signal);
    const line = Math.min(last, run.output.markShown() ?? last); // a menu is drawn again above
    return text(runText(run, ctx, args.DEFAULT_CHARACTERS, { line, column: 1 }));
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
    call.skipQuestion(); // it ends what the user has allowed, and nothing else
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
    run: id,
    kind,
    agent: author.agent,
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
