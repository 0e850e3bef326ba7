/** Notebooks as readable text: each cell has a header line and is followed by its outputs. */
import { type Fields, fieldsOf, itemsOf, parsedJson } from '../json.ts';
import { cutText } from '../text/cut.ts';

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

/** Cells without numbers, for a diff: an inserted cell must not change all that follow. */
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

/** The cells of a file in Jupyter's format (https://nbformat.readthedocs.io/); undefined if it is not nbformat 4. */
export function cellsOfIpynb(text: string): NotebookCell[] | undefined {
  const { nbformat, cells, metadata } = fieldsOf(parsedJson(text));
  if (nbformat !== 4 || !Array.isArray(cells)) return undefined;
  const { language_info: info, kernelspec } = fieldsOf(metadata);
  const language = fieldsOf(info).name ?? fieldsOf(kernelspec).language;
  return cells.map((cell) => toCell(fieldsOf(cell), language));
}

function toCell(cell: Fields, language: unknown): NotebookCell {
  const { cell_type: type, source, outputs, execution_count: run } = cell;
  const text = joined(source);
  if (type !== 'code') return { kind: type === 'markdown' ? 'markdown' : 'raw', text, outputs: [] };
  return {
    kind: 'code',
    ...(typeof language === 'string' && { language }),
    text,
    ...(typeof run === 'number' && { run }),
    outputs: itemsOf(outputs).map((output) => toOutput(fieldsOf(output))),
  };
}

function toOutput({ output_type: type, text, data, traceback, ename, evalue }: Fields): NotebookOutput {
  if (type === 'stream') return { type: 'text/plain', text: joined(text) };
  if (type === 'error')
    return { type: 'error', text: withoutEscapes(joined(traceback, '\n') || `${ename}: ${evalue}`) };
  const byType = fieldsOf(data);
  const types = Object.keys(byType);
  const readable = ['text/plain', 'text/markdown', ...types.filter((one) => one.startsWith('text/'))];
  const best = readable.find((one) => one in byType);
  return best ? { type: best, text: joined(byType[best]) } : { type: types[0] ?? 'nothing' };
}

/** The format stores a text as one string or as an array of lines. */
const joined = (value: unknown, between = ''): string =>
  Array.isArray(value) ? value.map(String).join(between) : typeof value === 'string' ? value : '';

/** Removes terminal colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with ESC
export const withoutEscapes = (text: string): string => text.replace(/\u001b\[[\d;]*[A-Za-z]/g, '');
