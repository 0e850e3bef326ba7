/**
 * How true the answers are in a solution of several projects, cold and warm, beside what the compiler knows of all of them.
 * `npm run bench -- truth [renames|moves|references|callers|edits] [cold|warm] [first-end]` asks a part.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textsOf } from '../code/zod.ts';
import { Meter } from '../economy/meter.ts';
import { type At, inScratch } from '../places.ts';
import { stage } from '../stage.ts';
import { markdown } from '../table.ts';
import { type BenchWindow, openWindow } from '../window.ts';
import { errorsTold, judged, placesIn, saysIncomplete, type Verdict, without } from './answers.ts';
import { compilerOf } from './compiler.ts';
import { compilerErrors, type Errors } from './judge.ts';
import { writeProjects } from './project.ts';
import { type Asked, type Move, questionsFor } from './questions.ts';

/** Questions of each kind: warm, and in a window that has just opened. */
const COUNTS = {
  renames: { warm: 60, cold: 20 },
  moves: { warm: 40, cold: 12 },
  references: { warm: 30, cold: 10 },
  callers: { warm: 30, cold: 10 },
  edits: { warm: 30, cold: 10 },
};

type Kind = keyof typeof COUNTS;
type State = 'warm' | 'cold';
const VERDICTS: readonly Verdict[] = ['right', 'floor', 'said', 'silent', 'wrong'];
const HEADS =
  'questions||asked|right|as TypeScript itself, said so|incomplete, said so|incomplete, silent|wrong|aim|'.split(
    '|',
  );
const AIMS = { warm: 0.99, cold: 0.95 };

interface Question {
  tool: string;
  args: object;
  /** What is asked next if the name is that of several symbols, and the answer lists this one. */
  place?: { path: string; line: number; column: number };
  /** The verdict on an answer; where files are changed it is called before they are as they were. */
  judge(text: string): Verdict | Promise<Verdict>;
  isEdit: boolean;
}

/** A Markdown table. @param options kind, state and range of the questions, in any order */
export const truthTable = (options: readonly string[] = []): Promise<string> =>
  inScratch(async (at) => {
    stage('what the compiler knows');
    writeProjects(at('workspace'), at('built'));
    writeProjects(at('pristine'), at('built'));
    const errorsNow = compilerErrors(at);
    const before = errorsNow();
    const compiler = await compilerOf(at('pristine'));
    const questions = questionsFor(compiler);
    const ask = (one: Asked, more: object = {}) => ({ ...one.named, ...more });
    const placeOf = ({ path, line, column }: Asked) => ({ path, line, column });
    const newErrors = async () => without(await errorsNow(), await before);
    const make: Record<Kind, (count: number) => Question[]> = {
      renames: (count) =>
        questions.renames(count).map((one) => ({
          tool: 'rename_symbol',
          args: ask(one, { newName: `${one.name}Anew` }),
          place: placeOf(one),
          judge: async (text) => {
            if (!/^Renamed/m.test(text)) return refused(text);
            const now = textsOf(at('workspace'));
            const own = [...compiler.renamed(one, `${one.name}Anew`)];
            const isFloor = own.every(([path, renamed]) => now.get(path) === renamed);
            const verdict = afterChange(await newErrors(), text);
            return verdict === 'said' && isFloor ? 'floor' : verdict;
          },
          isEdit: true,
        })),
      moves: (count) =>
        questions.moves(count).map((move) => ({
          tool: 'move_path',
          args: move,
          judge: async (text) =>
            text.includes('moved to')
              ? afterChange(moved(await errorsNow(), await before, move), text)
              : refused(text),
          isEdit: true,
        })),
      references: (count) =>
        questions.references(count).map((one) => ({
          tool: 'find_references',
          args: ask(one, { limit: 1_000 }),
          place: placeOf(one),
          judge: (text) => judged(one.references, placesIn(text, compiler.texts), text),
          isEdit: false,
        })),
      callers: (count) =>
        questions.callers(count).map((one) => ({
          tool: 'find_calls',
          args: ask(one, { limit: 1_000 }),
          place: placeOf(one),
          judge: (text) => judged(compiler.callers(one), placesIn(text, compiler.texts), text),
          isEdit: false,
        })),
      edits: (count) =>
        questions.edits(count).map((one) => ({
          tool: 'edit_file',
          args: { path: one.path, edits: [renaming(one, compiler.texts.get(one.path) ?? '')] },
          judge: async (text) => {
            const { fresh, unclear, more } = errorsTold(text);
            const wanted = await newErrors();
            if (without(fresh, wanted).size > 0) return 'wrong';
            return judged(
              wanted,
              new Set([...fresh, ...unclear].filter((one) => wanted.has(one))),
              text,
              more,
            );
          },
          isEdit: true,
        })),
    };
    const window = await openWindow(at);
    const rows: string[][] = [];
    for (const kind of Object.keys(COUNTS) as Kind[])
      for (const state of ['cold', 'warm'] as const) {
        if (!isWanted(options, Object.keys(COUNTS), kind) || !isWanted(options, ['cold', 'warm'], state))
          continue;
        const [from, end] = rangeOf(options, COUNTS[kind][state]);
        const asked = make[kind](end).slice(from);
        rows.push(
          rowOf(kind, state, await answersTo(asked, { kind, state, window, at, texts: compiler.texts })),
        );
      }
    await window.close();
    return markdown(HEADS, rows);
  });

const isWanted = (options: readonly string[], all: readonly string[], one: string): boolean =>
  options.includes(one) || !options.some((option) => all.includes(option));

function rangeOf(options: readonly string[], count: number): [from: number, end: number] {
  const [, from, end] = options.map((one) => /^(\d+)-(\d+)$/.exec(one)).find(Boolean) ?? [];
  return [Number(from ?? 0), Math.min(count, Number(end ?? count))];
}

/** Nothing was changed: right only if the answer says why, and what to do. */
const refused = (text: string): Verdict => (saysIncomplete(text) ? 'said' : 'wrong');

/** After a rename or move there is no error that was not there before. */
function afterChange(errors: Errors, text: string): Verdict {
  const { fresh, unclear } = errorsTold(text);
  if (without(fresh, errors).size > 0) return 'wrong';
  if (errors.size === 0) return 'right';
  return fresh.size + unclear.size > 0 || saysIncomplete(text) ? 'said' : 'silent';
}

/** The new errors after a move: those of the file itself go with it. */
function moved(errors: Errors, before: Errors, { source, destination }: Move): Errors {
  const own = [...before].map((place) => place.replace(`${source}:`, `${destination}:`));
  return without(errors, new Set(own));
}

/** Only the declaration gets another name. */
function renaming({ name, line }: Asked, text: string) {
  const lines = text.split('\n').slice(line - 1);
  const count =
    lines.findIndex((_, index) => text.split(lines.slice(0, index + 1).join('\n')).length === 2) + 1;
  const oldText = lines.slice(0, count).join('\n');
  return { oldText, newText: oldText.replace(new RegExp(`\\b${name}\\b`), `${name}Anew`) };
}

interface Round {
  kind: Kind;
  state: State;
  window: BenchWindow;
  at: At;
  texts: ReadonlyMap<string, string>;
}

async function answersTo(questions: readonly Question[], round: Round): Promise<Verdict[]> {
  const { kind, state, window, at, texts } = round;
  const verdicts: Verdict[] = [];
  const { ours } = await window.connect('ours');
  const agent = new Meter(ours);
  const called = (tool: string, args: object) =>
    agent.call(tool, args).catch((error: Error) => error.message.replace(/^\w+ failed: /, ''));
  if (state === 'warm') await called('find_references', { symbol: 'ZodType', limit: 1 });
  for (const { tool, args, place, judge, isEdit } of questions) {
    if (state === 'cold') await window.reload('ours');
    const started = performance.now();
    let text = await called(tool, args);
    const isAsked =
      / names \d+ symbols\. /.test(text) && place && text.includes(`${place.path}:${place.line}`);
    if (isAsked) text = await called(tool, { ...args, symbol: undefined, ...place });
    const ms = Math.round(performance.now() - started);
    const verdict = await judge(text);
    verdicts.push(verdict);
    stage(`${kind}, ${state}: ${verdict} after ${ms} ms`);
    if (verdict !== 'right' && verdict !== 'floor') stage(`${tool} ${JSON.stringify(args)}\n${text}\n`);
    if (isEdit) await takeBack(called, at, texts);
  }
  return verdicts;
}

/** Takes the last edit back. What that leaves, is written. */
async function takeBack(
  called: (tool: string, args: object) => Promise<string>,
  at: At,
  texts: ReadonlyMap<string, string>,
): Promise<void> {
  const isAsBefore = () => {
    const now = textsOf(at('workspace'));
    return now.size === texts.size && [...texts].every(([path, text]) => now.get(path) === text);
  };
  if (isAsBefore()) return;
  const text = await called('undo_edit', {});
  if (/New problems/.test(text)) stage(`undo_edit told: ${text}`);
  if (isAsBefore()) return;
  stage(`undo_edit did not take the edit back: ${text}`);
  const now = textsOf(at('workspace'));
  for (const path of now.keys()) if (!texts.has(path)) throw new Error(`${path} is still there.`);
  for (const [path, text] of texts)
    if (readFileSync(join(at('workspace'), path), 'utf8') !== text)
      writeFileSync(join(at('workspace'), path), text);
}

function rowOf(kind: Kind, state: State, verdicts: readonly Verdict[]): string[] {
  const counts = VERDICTS.map((one) => verdicts.filter((verdict) => verdict === one).length);
  const [right = 0, floor = 0, , silent, wrong] = counts;
  const isMet = !silent && !wrong && right + floor >= AIMS[state] * verdicts.length;
  return [
    ...[kind, state, `${verdicts.length}`, ...counts.map(String)],
    ...[`≥ ${AIMS[state] * 100} % right, none silent or wrong`, isMet ? 'met' : 'missed'],
  ];
}
