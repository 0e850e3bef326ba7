/**
 * Completes the case's workspace to a monorepo of realistic size: `node generate.ts WORKSPACE`. Its numbered files are alike, so
 * only the first of each kind is in the repository.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KINDS: [first: string, count: number][] = [
  ['shop/packages/core/src/items/item01.ts', 10],
  ['shop/packages/store/src/shelf01.ts', 10],
  ['shop/packages/ui/src/label01.ts', 10],
  ['shop/packages/app/src/page01.ts', 8],
  ['shop/packages/app/src/page01.test.ts', 4],
  ['tools/src/report01.ts', 6],
];

const at = (path: string) => join(process.argv[2] ?? '', path);
for (const [first, count] of KINDS)
  for (let index = 2; index <= count; index++) {
    const withNumber = (text: string) => text.replaceAll('01', `${index}`.padStart(2, '0'));
    writeFileSync(at(withNumber(first)), withNumber(readFileSync(at(first), 'utf8')));
  }
