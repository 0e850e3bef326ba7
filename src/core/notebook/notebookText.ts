/** Notebooks as readable text: each cell has a header line and is followed by its outputs. */
import { cutText } from '../text/cutText.ts';

/** Most characters of one output, in UTF-16 units. */
const MOST_OUTPUT = 10_000;

export interface NotebookOutput {
  /** MIME type, or `error`. */
  type: string;
  /** Undefined if it is not text. */
  text?: string;
}

export interface NotebookCell {
  kind: 'code' | 'markdown' | 'raw';
  /** For code: VS Code's language id, or the kernel's name for the language. */
  language?: string;
  text: string;
  /** The execution count; undefined if it was not run. */
  run?: number;
  outputs: readonly NotebookOutput[];
}

export const notebookText = (cells: readonly NotebookCell[]): string =>
  cells.length === 0
    ? 'The notebook has no cells.\n'
    : cells.map((cell, index) => cellText(cell, ` ${index + 1}`)).join('\n');

/** The same without numbers, for a diff: an inserted cell must not change all that follow. */
export const unnumberedText = (cells: readonly NotebookCell[]): string =>
  cells.map((cell) => cellText(cell, '')).join('\n');

/** @param number with a space before it */
function cellText({ kind, language, text, run, outputs }: NotebookCell, number: string): string {
  const facts = [kind, language, run !== undefined && `run ${run}`].filter(Boolean).join(', ');
  const parts = [`--- cell${number} (${facts})`, text, ...outputs.flatMap((one) => outputText(one, number))];
  return parts.map((part) => (part === '' || part.endsWith('\n') ? part : `${part}\n`)).join('');
}

/** @param number with a space before it */
export function outputText({ type, text }: NotebookOutput, number: string): string[] {
  if (text === undefined) return [`--- output of cell${number}: ${type}`];
  const shown = cutText(text, MOST_OUTPUT);
  const cut = shown.length < text.length ? `, the first ${shown.length} of ${text.length} characters` : '';
  return [`--- output of cell${number}${type === 'error' ? ': error' : ''}${cut}`, shown];
}
