/** Reads Jupyter's file format (nbformat 4: https://nbformat.readthedocs.io/). */
import { type Fields, fieldsOf, itemsOf, parsedJson } from '../json.ts';
import type { NotebookCell, NotebookOutput } from './notebookText.ts';

/** The cells of a notebook file; undefined if it is not nbformat 4. */
export function cellsOfIpynb(text: string): NotebookCell[] | undefined {
  const { nbformat, cells, metadata } = fieldsOf(parsedJson(text));
  if (nbformat !== 4 || !Array.isArray(cells)) return undefined;
  const language = languageOf(fieldsOf(metadata));
  return cells.map((cell) => toCell(fieldsOf(cell), language));
}

function languageOf({ language_info: info, kernelspec }: Fields): string | undefined {
  const name = fieldsOf(info).name ?? fieldsOf(kernelspec).language;
  return typeof name === 'string' ? name : undefined;
}

function toCell(
  { cell_type: type, source, outputs, execution_count: run }: Fields,
  language?: string,
): NotebookCell {
  const text = joined(source);
  if (type !== 'code') return { kind: type === 'markdown' ? 'markdown' : 'raw', text, outputs: [] };
  return {
    kind: 'code',
    ...(language !== undefined && { language }),
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
