import { visible } from '../../core/messages.ts';
import type { AgentRun, RunEnd } from '../../services/run/agentRun.ts';
import { CUT } from '../../services/run/output.ts';
import type { Context } from '../context.ts';

/** Lines that an agent may see, from one of them on. */
interface Shown {
  head: readonly string[];
  tail: readonly string[];
  /** Lines between them that are not kept. */
  dropped: number;
  /** Of all lines, those before these too. */
  count: number;
  /** What is held back, because a secret may go on in it. */
  heldBack?: string;
}

/** The state of a run, and its output from a line on, or its first and last lines if it is long. */
export function runText(run: AgentRun, ctx: Context, maxCharacters: number, fromLine?: number): string {
  // What failed comes first there.
  const from = fromLine ?? (run.kind === 'tests' && run.output.count > 0 ? 1 : undefined);
  const shown = shownOf(run, ctx, from);
  const lines = from === undefined ? ends(shown, maxCharacters) : page(shown, from, maxCharacters);
  const held = shown.heldBack ? `[${shown.heldBack}]` : '';
  return [stateText(run, ctx), lines, held].filter(Boolean).join('\n\n');
}

export function stateText(
  { id, title, result, startedAt, endedAt, running }: AgentRun,
  { files }: Context,
): string {
  const seconds = ((endedAt ?? new Date()).getTime() - startedAt.getTime()) / 1000;
  const name = `Run ${id} (${oneLine(files.redactor.text(title))})`;
  if (result) return `${name} ${files.redactor.text(endText(result))} after ${seconds.toFixed(1)} s.`;
  const waits = running?.send ? `, send_to_run answers what it asks` : '';
  return `${name} still runs after ${seconds.toFixed(0)} s. read_run {"run":${id}} waits on${waits}, stop_run ends it.`;
}

const oneLine = (title: string): string =>
  visible((title.length > 200 ? `${title.slice(0, 200)}…` : title).replaceAll('\n', ' ⏎ '));

/** As in "ended with exit code 1". */
export function endText({ exitCode, signal, failed, outcome, stoppedBy, hadRest }: RunEnd): string {
  if (failed !== undefined) return `could not run: ${failed}`;
  const by = stoppedBy ? `was stopped by ${stoppedBy === 'user' ? 'the user' : 'an agent'}, and ` : '';
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
  { output, result }: Pick<AgentRun, 'output' | 'result'>,
  { files: { redactor } }: Context,
  from = 1,
): Shown {
  const { head, tail, dropped, isUnfinished } = output;
  if (!redactor.isOn) return since(from, { head, tail, dropped });
  const { staysInLine, isByLine } = redactor.redaction;
  if (!result && !staysInLine) {
    const heldBack = 'the output is shown once it has ended: text to be redacted may span lines';
    return { ...since(1, { head: [], tail: [], dropped: 0 }), ...(output.count > 0 && { heldBack }) };
  }
  const whole = { head, tail: isUnfinished ? tail.slice(0, -1) : tail, dropped };
  const heldBack =
    isUnfinished && 'the last line has not ended: it may be a question, and is shown once it has ended';
  const shown = isByLine
    ? redactedLines(since(from, whole), redactor)
    : since(from, redactedWhole(whole, staysInLine, redactor));
  return { ...shown, ...(heldBack && { heldBack }) };
}

type Lines = Pick<Shown, 'head' | 'tail' | 'dropped'>;
type Redactor = Context['files']['redactor'];

/** Those from a line on, its number beginning at 1. */
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

/** A line whose beginning is gone may begin with the rest of a secret. */
const redacted = (lines: readonly string[], redactor: Redactor): string[] =>
  lines.length === 0
    ? []
    : redactor
        .text(lines.map((line) => (line.startsWith(CUT) ? '[a long line]' : line)).join('\n'))
        .split('\n');

/** All lines, or the first and the last ones that fit. */
function ends({ head, tail, dropped }: Shown, most: number): string {
  const lines = [...head, ...tail];
  if (dropped === 0 && sizeOf(lines) <= most) return lines.join('\n').trimEnd();
  const first = fitting(head.length > 0 ? head : tail, most / 4);
  const rest = dropped === 0 ? lines.slice(first.length) : tail;
  const last = fitting([...rest].reverse(), most - sizeOf(first), true).reverse();
  const from = first.length + 1;
  const to = lines.length + dropped - last.length;
  const gap = to < from ? [] : [`[lines ${from} to ${to} are left out here; fromLine ${from} reads them]`];
  return [...first, ...gap, ...last].join('\n');
}

function page({ head, tail, dropped, count }: Shown, fromLine: number, most: number): string {
  if (fromLine > count) return `It has ${count} lines.`;
  const isGone = head.length === 0 && dropped > 0;
  const from = isGone ? fromLine + dropped : fromLine;
  const lines = fitting(head.length > 0 && dropped > 0 ? head : [...head, ...tail], most);
  const gone = isGone ? `[lines ${fromLine} to ${from - 1} are not kept]\n` : '';
  const to = from + lines.length - 1;
  const more = to < count ? `\n[lines ${from} to ${to} of ${count}; go on with fromLine ${to + 1}]` : '';
  return gone + lines.join('\n') + more;
}

/** What was printed from a line on (1-based); the end of it if it is long. Empty if there is nothing. */
export function outputFrom(
  run: Pick<AgentRun, 'output' | 'result'>,
  ctx: Context,
  fromLine: number,
  most: number,
): string {
  const { head, tail, dropped, heldBack } = shownOf(run, ctx, fromLine);
  const rest = [...head, ...tail];
  const last = fitting(rest.toReversed(), most, true).reverse();
  const out = dropped + rest.length - last.length;
  return [out > 0 && `[${out} lines are left out]`, ...last, heldBack && `[${heldBack}]`]
    .filter((one) => one !== false && one !== undefined)
    .join('\n')
    .trimEnd();
}

/** The first of the lines that have room; one that has none is cut. @param fromEnd keeps the end of that one */
function fitting(lines: readonly string[], most: number, fromEnd = false): string[] {
  const kept: string[] = [];
  let size = 0;
  for (const line of lines) {
    size += line.length + 1;
    if (size > most) break;
    kept.push(line);
  }
  const [first] = lines;
  if (kept.length > 0 || first === undefined) return kept;
  const part = fromEnd ? first.slice(-most) : first.slice(0, most);
  const note = `[${first.length - part.length} characters of this line are cut]`;
  return [fromEnd ? `${note} ${part}` : `${part} ${note}`];
}

const sizeOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);
