/** Symbols of a code base by its text: those whose name is declared once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  const random = generator(SEED);
  return once
    .map((one) => ({ one, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ one }) => one);
}

/** Without the strings of several lines, which are documentation in Python. */
const codeOf = (path: string): string =>
  readFileSync(path, 'utf8').replaceAll(/"""[\s\S]*?"""/g, (text) => text.replaceAll(/.+/g, ''));

/** Mulberry32. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
