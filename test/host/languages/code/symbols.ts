/** Symbols of a code base by its text: those whose name is declared once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shuffled } from '../../../random.ts';
import { type CodeBase, sourcesOf } from './bases.ts';

export interface Sample {
  name: string;
  path: string;
  /** 1-based. */
  line: number;
}

const SEED = 54;

/** Some of them, the same in each run. */
export function sample(base: CodeBase, directory: string, count: number): Sample[] {
  const all = new Map<string, Sample[]>();
  for (const path of sourcesOf(base, directory)) {
    for (const [index, text] of codeOf(join(directory, path)).split('\n').entries()) {
      const [, name] = base.declared.exec(text) ?? [];
      if (name) all.set(name, [...(all.get(name) ?? []), { name, path, line: index + 1 }]);
    }
  }
  const once = [...all.values()].flatMap(([first, second]) => (first && !second ? [first] : []));
  return shuffled(once, SEED).slice(0, count);
}

/** Without the strings of several lines, which are documentation in Python. */
const codeOf = (path: string): string =>
  readFileSync(path, 'utf8').replaceAll(/"""[\s\S]*?"""/g, (text) => text.replaceAll(/.+/g, ''));
