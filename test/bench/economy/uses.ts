/** The uses of a symbol by the language server, beside the lines that only contain its name. */
import { wordOf } from './fileAgent.ts';
import type { Meter } from './meter.ts';

/** The paths in an answer of hits by file. */
export const pathsIn = (answer: string): string[] =>
  answer.split('\n').filter((line) => /^\S+\.ts$/.test(line));

/** How many lines contain the name and are no use of the symbol, and the files with a use. */
export async function compareUses(
  agent: Meter,
  symbol: { symbol: string; path: string },
  texts: ReadonlyMap<string, string>,
) {
  const uses = await usesOf(agent, symbol);
  const lines = [...texts].flatMap(([path, text]) =>
    text
      .split('\n')
      .flatMap((line, index) => (wordOf(symbol.symbol).test(line) ? [`${path}:${index + 1}`] : [])),
  );
  return {
    falseHits: lines.filter((line) => !uses.has(line)).length,
    files: new Set([...uses].map((line) => line.replace(/:\d+$/, ''))),
  };
}

/** As "path:line". */
async function usesOf(agent: Meter, symbol: object): Promise<Set<string>> {
  const uses = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const answer = await agent.call('find_references', { ...symbol, limit: 5000, ...(cursor && { cursor }) });
    let path = '';
    for (const line of answer.split('\n')) {
      const at = /^(\d+): /.exec(line)?.[1];
      if (at) uses.add(`${path}:${at}`);
      else if (pathsIn(line).length > 0) path = line;
    }
    cursor = /Pass cursor "([^"]+)"/.exec(answer)?.[1];
    if (!cursor) return uses;
  }
}
