/** Edits of the cells of a notebook, as agents write them. Pure. */
import { UserError } from '../errors.ts';
import type { NotebookCell } from './notebookText.ts';

export interface CellEdit {
  action: 'insert' | 'replace' | 'delete' | 'move';
  /** Its number, from 1, or its id. An inserted cell gets the number; without it, it becomes the last one. */
  cell?: number | string | undefined;
  /** The number that a moved cell gets. */
  to?: number | undefined;
  kind?: 'code' | 'markdown' | undefined;
  /** VS Code's language id. */
  language?: string | undefined;
  source?: string | undefined;
}

export interface OldCell {
  kind: NotebookCell['kind'];
  language: string;
  text: string;
  id?: string | undefined;
}

export interface PlannedCell extends OldCell {
  /** Index of the old cell whose outputs and metadata it has; undefined for a new cell. */
  from?: number;
  /** It stays at its place among the others, with the same kind and language. */
  stays: boolean;
}

/** Most cells, so that one call cannot fill the memory. */
const MOST_CELLS = 10_000;

/** The cells after all edits, which are applied in order. @throws UserError if one does not fit */
export function planCells(
  cells: readonly OldCell[],
  edits: readonly CellEdit[],
  newLanguage: string,
): PlannedCell[] {
  const planned = cells.map((cell, from): PlannedCell => ({ ...cell, from, stays: true }));
  for (const [index, edit] of edits.entries()) {
    const refuse = (why: string): never => {
      throw new UserError(`The notebook is unchanged: edit ${index + 1} ${why}.`);
    };
    apply(planned, edit, newLanguage, refuse);
  }
  return planned;
}

function apply(cells: PlannedCell[], edit: CellEdit, newLanguage: string, refuse: Refuse): void {
  const { action, to, kind, language, source } = edit;
  if (action === 'insert') {
    const at = edit.cell === undefined ? cells.length : indexOf(cells, edit.cell, refuse, 1);
    if (cells.length >= MOST_CELLS) refuse(`makes more than ${MOST_CELLS} cells`);
    cells.splice(at, 0, insertedCell(edit, newLanguage));
    return;
  }
  const at = indexOf(cells, edit.cell ?? refuse('names no cell'), refuse);
  const [cell] = cells.splice(at, 1) as [PlannedCell];
  if (action === 'move') {
    const place = indexOf(cells, to ?? refuse('has no "to"'), refuse, 1);
    cells.splice(place, 0, place === at ? cell : { ...cell, stays: false });
  } else if (action === 'replace') {
    if (source === undefined && kind === undefined && language === undefined) refuse('has no "source"');
    cells.splice(at, 0, replacedCell(cell, edit, newLanguage));
  }
}

type Refuse = (why: string) => never;

function insertedCell({ kind = 'code', language, source = '' }: CellEdit, newLanguage: string): PlannedCell {
  const normal = kind === 'markdown' ? 'markdown' : newLanguage;
  return { kind, language: language ?? normal, text: source, stays: false };
}

function replacedCell(cell: PlannedCell, edit: CellEdit, newLanguage: string): PlannedCell {
  const { kind = cell.kind, source: text = cell.text } = edit;
  const normal = kind === cell.kind ? cell.language : kind === 'markdown' ? 'markdown' : newLanguage;
  const language = edit.language ?? normal;
  const isSame = kind === cell.kind && language === cell.language;
  return { ...cell, kind, language, text, stays: cell.stays && isSame };
}

/** @param past how many numbers after the last cell are allowed */
function indexOf(cells: readonly OldCell[], cell: number | string, refuse: Refuse, past = 0): number {
  const number = numberOf(cells, cell);
  if (number >= 1 && number <= cells.length + past) return number - 1;
  return refuse(`names cell ${JSON.stringify(cell)}, but the notebook has ${cells.length} then`);
}

/** The 1-based number of a cell that is named by its number or id; 0 if the name is neither. */
export function numberOf(cells: readonly Pick<OldCell, 'id'>[], cell: number | string): number {
  const byId = cells.findIndex(({ id }) => id !== undefined && id === cell);
  const number = byId < 0 ? Number(cell) : byId + 1;
  return Number.isInteger(number) ? number : 0;
}
