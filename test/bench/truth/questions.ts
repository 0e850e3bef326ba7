/** What is asked, with a fixed seed: other symbols and files each time would make another table. */
import { posix } from 'node:path';
import { shuffled } from '../../random.ts';
import type { Compiler, Declaration } from './compiler.ts';

const SEED = 55;

/** Uses of a symbol, at least and at most: of more, the answers are pages long. */
const USES = { least: 2, most: 60 };

const isTest = (path: string): boolean => /\/(tests|benchmarks)\//.test(path);
const isFunction = ({ kind }: Declaration): boolean => /^(Function|Method)/.test(kind);

/** How an agent names a symbol: by its name alone if that is the only one. */
export type Named = { symbol: string } | { path: string; line: number; column: number };

export interface Asked extends Declaration {
  named: Named;
  /** `file:line`. */
  references: ReadonlySet<string>;
}

/** The paths of a move. */
export interface Move {
  source: string;
  destination: string;
}

export function questionsFor(compiler: Compiler) {
  const { texts } = compiler;
  const paths = [...texts.keys()];
  let declared: ReturnType<typeof declarations> | undefined;

  function declarations() {
    const all = paths.flatMap((path) => compiler.declarations(path));
    const sources = all.filter(({ path, name }) => !isTest(path) && name.length > 2);
    return { sources, byName: Map.groupBy(all, ({ name }) => name) };
  }

  const asked = (one: Declaration, byName: ReadonlyMap<string, unknown[]>): Asked[] => {
    const references = compiler.references(one);
    const { path, line, column } = one;
    const isElsewhere = [...references].some((place) => !place.startsWith(`${path}:`));
    if (!isElsewhere || references.size < USES.least || references.size > USES.most) return [];
    const isOnly = byName.get(one.name)?.length === 1;
    return [{ ...one, references, named: isOnly ? { symbol: one.name } : { path, line, column } }];
  };

  /** The first symbols that are used in other files. */
  function symbols(count: number, seed: number, fits: (one: Declaration) => boolean = () => true): Asked[] {
    declared ??= declarations();
    const { sources, byName } = declared;
    const found: Asked[] = [];
    for (const one of shuffled(sources.filter(fits), SEED + seed)) {
      if (found.length === count) break;
      found.push(...asked(one, byName));
    }
    return found;
  }

  return {
    renames: (count: number) => symbols(count, 1),
    references: (count: number) => symbols(count, 2),
    callers: (count: number) => symbols(count, 3, isFunction),
    /** Exports whose name is changed where they are declared only. */
    edits: (count: number) =>
      symbols(count, 4, ({ path, line, name }) =>
        new RegExp(`^export \\w+ ${name}\\b`).test(texts.get(path)?.split('\n')[line - 1] ?? ''),
      ),
    /** Files that others import: half get another name, half go to another folder of the project. */
    moves(count: number): Move[] {
      const imported = paths.filter((path) => {
        const { name } = posix.parse(path);
        const pattern = new RegExp(`from ["']\\.[^"']*/${name}\\.js["']`);
        return name !== 'index' && [...texts].some(([one, text]) => one !== path && pattern.test(text));
      });
      const some = shuffled(imported, SEED + 5);
      const [languages, others] = [/\/locales\//, /^(?!.*\/locales\/)/].map((kind) =>
        some.filter((path) => kind.test(path)),
      );
      // Two thirds of the files are languages, all imported alike.
      return [...(others ?? []), ...(languages ?? [])].slice(0, count).map((source, index) => {
        const { dir, base, name } = posix.parse(source);
        return { source, destination: index % 2 ? `${dir}/moved/${base}` : `${dir}/${name}-renamed.ts` };
      });
    },
  };
}
