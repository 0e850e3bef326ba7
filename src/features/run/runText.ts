import { visible } from '../../core/text/visible.ts';
import type { AgentRun, RunEnd } from '../../services/run/agentRun.ts';
import { isWithoutMiddle } from '../../services/run/keptLines.ts';
import type { Context } from '../context.ts';
import { ends, lastOf, type Place, page, type Shown } from './outputPages.ts';

/** The state of a run, and its output from a place on, or its beginning and its end if it is long. */
export function runText(run: AgentRun, ctx: Context, maxCharacters: number, place?: Place): string {
  // What failed comes first there.
  const isReport = run.kind === 'tests' && run.output.count > 0;
  const from = place ?? (isReport ? { line: 1, column: 1 } : undefined);
  const shown = shownOf(run, ctx, from?.line);
  const lines = from ? page(shown, from, maxCharacters) : ends(shown, maxCharacters);
  return [stateText(run, ctx), lines, notesOf(run, shown, from)].filter(Boolean).join('\n\n');
}

function notesOf({ output }: AgentRun, { heldBack }: Shown, from: Place | undefined): string {
  const redrawn = output.markShown();
  const isRedrawn = from && redrawn !== undefined && redrawn < from.line;
  return [
    isRedrawn &&
      `lines from ${redrawn} on were drawn again since they were told; fromLine ${redrawn} reads them`,
    output.hadFullScreen && !output.isFullScreen && 'a full-screen program ran; what it drew is left out',
    heldBack,
  ]
    .flatMap((note) => (note ? [`[${note}]`] : []))
    .join('\n');
}

export function stateText(run: AgentRun, ctx: Context): string {
  const { id, title, result, startedAt, endedAt } = run;
  const { redactor } = ctx.files;
  const seconds = ((endedAt ?? new Date()).getTime() - startedAt.getTime()) / 1000;
  const name = `Run ${id} (${oneLine(redactor.text(title))})`;
  if (result) return `${name} ${redactor.text(endText(result))} after ${seconds.toFixed(1)} s.`;
  return `${name} still runs after ${seconds.toFixed(0)} s${waitText(run, ctx)}`;
}

/** For who waits for its end. */
export const goingText = ({ id, title }: AgentRun, { files: { redactor } }: Context): string =>
  `Run ${id} (${oneLine(redactor.text(title))}) goes on.`;

/** What it waits for, and what can be done. */
function waitText(run: AgentRun, ctx: Context): string {
  const { id, running, awaited, output } = run;
  const ways = `read_run {"run":${id}} waits on`;
  const stop = 'stop_run ends it.';
  if (awaited === 'git')
    return `. Git asks the user for a name or password, in an input box of VS Code. ${ways}, ${stop}`;
  if (output.isFullScreen)
    return ` in a full-screen program, such as an editor or pager, whose screen is not told. send_to_run presses its keys. ${ways}, ${stop}`;
  if (!awaited) return `. ${ways}${running?.send ? ', send_to_run answers what it asks' : ''}, ${stop}`;
  const who = running?.send
    ? 'send_to_run answers it; leave a password to the user, who can type it in the terminal'
    : 'Only the user can answer it, in its terminal';
  const question = output.isUnfinished ? `: ${questionOf(run, ctx)}` : '.';
  return `, and seems to wait for input${question}\n${who}. ${ways}, ${stop}`;
}

/** Lines in front of a question that are redacted with it. */
const BEFORE = 50;

/** A program that waits has printed all of it: nothing of a secret can follow. */
function questionOf({ output: { head, tail } }: AgentRun, { files: { redactor } }: Context): string {
  const lines = [...head.slice(-BEFORE), ...tail].slice(-BEFORE);
  return oneLine(redacted(lines, redactor).at(-1)?.trim() ?? '');
}

const oneLine = (title: string): string =>
  visible((title.length > 200 ? `${title.slice(0, 200)}…` : title).replaceAll('\n', ' ⏎ '));

const STOPPED_BY = {
  user: 'by the user',
  agent: 'by an agent',
  closing: 'because its terminal or the window was closed',
};

/** As in "ended with exit code 1". */
export function endText({ exitCode, signal, failed, outcome, stoppedBy, hadRest }: RunEnd): string {
  if (failed !== undefined) return `could not run: ${failed}`;
  const by = stoppedBy ? `was stopped ${STOPPED_BY[stoppedBy]}, and ` : '';
  if (outcome !== undefined) return `${by}ended: ${outcome},`;
  if (signal !== undefined) return `${by}ended by ${signal}`;
  return exitCode === undefined
    ? `${by}ended; VS Code does not tell its exit code`
    : `${by}ended with exit code ${exitCode}${hadRest && !stoppedBy ? ' (what it left in the background was ended, too)' : ''}`;
}

/**
 * With redaction on, parts that may hold half a secret are left out: the unfinished line, or all until the end.
 *
 * @param from number of the first line that is wanted: the fewer, the less there is to redact
 */
export function shownOf(
  run: Pick<AgentRun, 'output' | 'result'> & { awaited?: AgentRun['awaited'] },
  { files: { redactor } }: Context,
  from = 1,
): Shown {
  const { output, result } = run;
  const { head, tail, dropped, isUnfinished } = output;
  if (!redactor.isOn) return since(from, { head, tail, dropped });
  const { staysInLine, isByLine } = redactor.redaction;
  if (!result && !staysInLine) {
    const heldBack = 'the output is shown once it has ended: text to be redacted may span lines';
    return { ...since(1, { head: [], tail: [], dropped: 0 }), ...(output.count > 0 && { heldBack }) };
  }
  const isPart = isUnfinished && !run.awaited;
  const whole = { head, tail: isPart ? tail.slice(0, -1) : tail, dropped };
  const heldBack =
    isPart && 'the last line has not ended: it may be a question, and is shown once it has ended';
  const shown = isByLine
    ? redactedLines(since(from, whole), redactor)
    : since(from, redactedWhole(whole, staysInLine, redactor));
  return { ...shown, ...(heldBack && { heldBack }) };
}

type Lines = Pick<Shown, 'head' | 'tail' | 'dropped'>;
type Redactor = Context['files']['redactor'];

/** The lines from a 1-based line on. */
function since(from: number, { head, tail, dropped }: Lines): Shown {
  const inTail = Math.max(0, from - 1 - head.length - dropped);
  return {
    head: head.slice(from - 1),
    tail: tail.slice(inTail),
    dropped: Math.max(0, dropped - Math.max(0, from - 1 - head.length)),
    count: head.length + dropped + tail.length,
  };
}

const redactedLines = (lines: Shown, redactor: Redactor): Shown => ({
  ...lines,
  head: redacted(lines.head, redactor),
  tail: redacted(lines.tail, redactor),
});

/** What is beside the lines that are gone may be part of a secret that spans them. */
function redactedWhole({ head, tail, dropped }: Lines, staysInLine: boolean, redactor: Redactor): Lines {
  if (dropped === 0) {
    const all = redacted([...head, ...tail], redactor);
    return { head: all.slice(0, head.length), tail: all.slice(head.length), dropped };
  }
  const kept = staysInLine ? head.length : Math.floor(head.length / 2);
  const unsafe = Math.ceil(tail.length / 2);
  return {
    head: redacted(head, redactor).slice(0, kept),
    tail: redacted(tail, redactor).slice(unsafe),
    dropped: dropped + head.length - kept + unsafe,
  };
}

/** Where the middle of a line is gone, half of a secret may be left. */
const redacted = (lines: readonly string[], redactor: Redactor): string[] =>
  lines.length === 0
    ? []
    : redactor
        .text(lines.map((line) => (isWithoutMiddle(line) ? '[a long line]' : line)).join('\n'))
        .split('\n');

/** What was printed from a line on (1-based); the end of it if it is long. Empty if there is nothing. */
export const outputFrom = (
  run: Pick<AgentRun, 'output' | 'result'>,
  ctx: Context,
  fromLine: number,
  most: number,
): string => lastOf(shownOf(run, ctx, fromLine), most);
