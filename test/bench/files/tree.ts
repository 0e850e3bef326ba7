/** The workspace whose files are counted: as many modules of one project. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const FILES = 100_000;
const IN_FOLDER = 50;
const LINE = 'export const total = (items: Item[]) => sum(items);\n';

const folderOf = (index: number): string => `packages/package-${index % 40}/src/module-${index}`;

/** @param files a multiple of 50 */
export function writeTree(root: string, files = FILES): void {
  for (let folder = 0; folder < files / IN_FOLDER; folder++) {
    const path = join(root, folderOf(folder));
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < IN_FOLDER; file++) writeFileSync(join(path, nameOf(file)), LINE);
  }
}

const nameOf = (index: number): string => `component-${index}.ts`;

/** One folder of it, and one file. */
export const FOLDER = folderOf(1);
export const FILE = `${FOLDER}/${nameOf(7)}`;
