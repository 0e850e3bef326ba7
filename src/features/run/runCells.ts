import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { holdsRedacted } from '../../access/redaction/redaction.ts';
import { UserError } from '../../core/errors.ts';
import { numberOf } from '../../core/notebook/cellEdits.ts';
import { outputText } from '../../core/notebook/notebookText.ts';
import { pictureKind } from '../../core/picture.ts';
import { type AllowedCell, type CellEnd, requireKernel, runCellsOf } from '../../services/run/cellRun.ts';
import { oldCellsOf } from '../../workspace/edit/notebook/notebookCells.ts';
import { outputsOf, picturesOf } from '../../workspace/read/notebooks.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineTool, pictureBlock, STARTS_PROGRAMS, text } from '../tool.ts';
import { runText } from './runText.ts';
import { waitForOwn } from './waiting.ts';

/** Pictures of an answer, and bytes of them all. */
const MOST_PICTURES = 5;
const MOST_PICTURE_BYTES = 2_000_000;

export const runCells = defineTool({
  name: 'run_cells',
  title: 'Run notebook cells',
  description:
    'Runs cells of a notebook in VS Code, unsaved text included, by the kernel that the user has chosen. Use it instead of jupyter: variables stay. Returns outputs and pictures; stops at a cell that fails.',
  group: 'run',
  needs: 'notebooks',
  operation: 'run',
  alsoNeeds: ['read'], // the question shows the cells
  asksFor: 'run',
  annotations: STARTS_PROGRAMS,
  hints: { search: 'run cells of a Jupyter notebook' },
  input: z.strictObject({
    path: args.path,
    cells: z.array(z.int()).max(200).default([]).describe('Numbers from 1; default: all'),
    ids: z.array(z.string().min(1)).max(200).default([]).describe('Instead of numbers'),
    wait: args.wait(),
    maxCharacters: args.maxCharacters,
  }),
  async run({ path, cells, ids, wait, maxCharacters }, ctx, call) {
    const location = await ctx.files.locate(path);
    const plan = async () => {
      const notebook = await ctx.files.edits.notebook(location);
      return { notebook, cells: chosen(notebook, [...cells, ...ids]) };
    };
    const asked = await plan();
    const title = `${location.path}, ${asked.cells.length > 1 ? 'cells' : 'cell'} ${asked.cells.map(({ number }) => number).join(', ')}`;
    requireNotRunning(asked.notebook, ctx);
    ctx.agentRuns.requireRoom();
    await requireKernel(ctx.vscode, asked.notebook);
    const named = asked.cells.map((one) => [`cell ${one.number} (${one.language})`, one.text] as const);
    await call.approve({
      kind: 'run',
      intent: { type: 'cells' },
      subject: location.path,
      arguments: Object.fromEntries(named),
    });
    const now = await plan(); // VS Code may have closed and loaded it again meanwhile
    const whatRuns = (cells: readonly AllowedCell[]) => cells.map(({ cell: _, ...one }) => one);
    if (!isDeepStrictEqual(whatRuns(now.cells), whatRuns(asked.cells)))
      throw new UserError(
        `The cells of ${location.path} have changed since the user was asked. Nothing ran. Call again.`,
      );
    requireNotRunning(now.notebook, ctx);
    const identity = `${now.notebook.uri}`;
    const run = ctx.agentRuns.begin({ kind: 'cells', title, identity, author: ctx.author() });
    const pictures = new Pictures();
    const report = (one: AllowedCell, end: CellEnd) => {
      run.print(reportOf(one, end, ctx));
      if (end.state !== 'not run') pictures.add(one, ctx);
    };
    runCellsOf(ctx.vscode, now.notebook, now.cells, run, report).catch((error: Error) =>
      run.end({ failed: error.message }),
    );
    await waitForOwn(run, wait, call, ctx);
    const { blocks, leftOut } = pictures;
    const { content } = text(
      runText(run, ctx, maxCharacters),
      leftOut > 0 && `pictures left out: ${leftOut}.`,
    );
    return { content: [...content, ...blocks] };
  },
});

/** @throws UserError if there is none with such a name, or it holds no code */
function chosen(notebook: vscode.NotebookDocument, names: readonly (number | string)[]): AllowedCell[] {
  const all = oldCellsOf(notebook);
  const isCode = (number: number) => {
    const { kind, language } = all[number - 1] ?? {};
    return kind === 'code' && language !== 'raw';
  };
  const numbers = names.length > 0 ? names.map((name) => numberOf(all, name)) : all.map((_, at) => at + 1);
  for (const [index, number] of numbers.entries()) {
    const name = JSON.stringify(names[index]);
    if (number < 1 || number > all.length)
      throw new UserError(`There is no cell ${name}: the notebook has ${all.length}. Nothing ran.`);
    if (names.length > 0 && !isCode(number)) throw new UserError(`Cell ${name} is no code. Nothing ran.`);
  }
  const wanted = [...new Set(numbers)].filter(isCode);
  if (wanted.length === 0) throw new UserError('The notebook has no cells of code.');
  return wanted.map((number) => {
    const { text = '', language = '' } = all[number - 1] ?? {};
    return { number, cell: notebook.cellAt(number - 1), text, language };
  });
}

/** VS Code does not start a cell again that runs. */
function requireNotRunning({ uri }: vscode.NotebookDocument, { agentRuns }: Context): void {
  const other = agentRuns.runningOf('cells', `${uri}`);
  if (other)
    throw new UserError(
      `Cells of this notebook run already, as run ${other.id}. Wait with read_run, or stop it first.`,
    );
}

/** Its outcome and its outputs, each redacted as a whole: it is cut here. */
function reportOf({ number, cell }: AllowedCell, { state, duration, why }: CellEnd, { files }: Context) {
  const time = duration === undefined ? '' : ` after ${(duration / 1000).toFixed(1)} s`;
  const head = `--- cell ${number} ${state}${time}${why ? `: ${why}` : ''}`;
  const outputs = state === 'not run' ? [] : outputsOf(cell);
  const shown = files.redactor.cells([{ kind: 'code', text: '', outputs }]).flatMap((one) => one.outputs);
  const parts = [head, ...shown.flatMap((output) => outputText(output, ` ${number}`))];
  return parts.map((part) => (part === '' || part.endsWith('\n') ? part : `${part}\n`)).join('');
}

/** The pictures of an answer, as far as there is room for them. */
class Pictures {
  readonly blocks: ReturnType<typeof pictureBlock>[] = [];
  leftOut = 0;
  #room = MOST_PICTURE_BYTES;

  add({ cell }: AllowedCell, { files: { redactor } }: Context): void {
    for (const bytes of picturesOf(cell)) {
      const kind = pictureKind(bytes);
      const isShown =
        kind && 'mimeType' in kind && !(redactor.isOn && holdsRedacted(redactor.redaction, bytes));
      if (!isShown || this.blocks.length === MOST_PICTURES || bytes.length > this.#room) this.leftOut++;
      else {
        this.#room -= bytes.length;
        this.blocks.push(pictureBlock(bytes, kind.mimeType));
      }
    }
  }
}
