/** The table of docs/tools.md: what the page has, and a new one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../../../scripts/readme.ts';
import { projectRoot } from '../paths.ts';
import { SERVERS } from './servers.ts';

/** By the server's name and the title of the row. */
export type Cells = Record<string, Record<string, string>>;

/** The language has nothing of the kind. */
const NOTHING = '–';
const PAGE = join(projectRoot, 'docs/tools.md');
const START = '<!-- servers -->\n';
const END = '<!-- /servers -->';

export function readCells(): Cells {
  const lines = part()
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const column = (index: number) =>
    rows.flatMap(([row = '', ...cells]) => {
      const cell = cells[index];
      return cell && cell !== NOTHING ? [[row, cell]] : [];
    });
  return Object.fromEntries(head.slice(1).map((name, index) => [name, Object.fromEntries(column(index))]));
}

/** @param rows titles in their order */
export function writeCells(rows: readonly string[], cells: Cells): void {
  const names = SERVERS.map(({ name }) => name);
  const lines = rows.map((row) => [row, ...names.map((name) => cells[name]?.[row] ?? NOTHING)]);
  writeFileSync(
    PAGE,
    page().replace(`${START}${part()}`, () => `${START}${table(['Tool', ...names], lines)}\n`),
  );
}

const page = (): string => readFileSync(PAGE, 'utf8');

function part(): string {
  const text = page();
  const start = text.indexOf(START) + START.length;
  return text.slice(start, text.indexOf(END, start));
}
