/** How much of each tool's work a server does, judged by the answers: the table of docs/tools.md. */
import assert from 'node:assert/strict';
import { readCells, writeCells } from './cells.ts';
import { type Judged, ROWS } from './offers.ts';
import type { Tested } from './tested.ts';

/** Says that the server does not do it, or may not. */
export const SAYS_NOT_OFFERED =
  /\b(does not|seems not to) offer\b|\bno extension (provides|formats)\b|\blanguage servers? updated? /i;

/** Says that something may be missing. */
export const SAYS_PART = /\b(was|were) (not )?looked at\b|\bnot checked\b|\breported no use there\b/;

/** @throws Error if something is missing and the answer does not say so */
function cellOf({ answer, wanted }: Judged): string {
  const found = wanted.filter(Boolean).length;
  const isNotOffered = SAYS_NOT_OFFERED.test(answer);
  if (found === 0 && isNotOffered) return 'not offered';
  if (found > 0 && (isNotOffered || SAYS_PART.test(answer))) return 'part';
  if (found === wanted.length) return 'whole';
  throw new Error(`${wanted.length - found} of ${wanted.length} missing, and not a word of it:\n${answer}`);
}

/** In milliseconds: each of some twenty calls may be asked again. */
const TABLE_PATIENCE = 5 * 60_000;

export function testTable(one: Tested): void {
  it('does as much as docs/tools.md says', async function () {
    this.timeout(TABLE_PATIENCE);
    const found: Record<string, string> = {};
    const wrong: string[] = [];
    for (const [title, row] of Object.entries(ROWS)) {
      try {
        const judged = await row(one);
        if (judged) found[title] = cellOf(judged);
      } catch (error) {
        found[title] = 'wrong';
        wrong.push(`${title}: ${(error as Error).message}`);
      }
    }
    if (process.env.UPDATE_SNAPSHOTS)
      writeCells(Object.keys(ROWS), { ...readCells(), [one.server.name]: found });
    assert.deepEqual(wrong, []);
    assert.deepEqual(found, readCells()[one.server.name]);
  });
}
