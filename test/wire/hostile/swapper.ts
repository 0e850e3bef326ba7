/** Run as a process of its own: swaps a file and a folder for links to what lies outside and back, until its input ends. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '', outside = ''] = process.argv.slice(2);
const at = (name: string) => join(folder, name);
const HARMLESS = 'open\n';

/** In one step, as a rename is: the name is never missing. */
function replaceFile(isLink: boolean): void {
  const next = at('.next');
  rmSync(next, { force: true });
  if (isLink) symlinkSync(join(outside, 'x.txt'), next);
  else writeFileSync(next, HARMLESS);
  renameSync(next, at('x.txt'));
}

/** A folder cannot be replaced in one step: for a moment it is not there. */
function replaceFolder(isLink: boolean): void {
  if (isLink) {
    renameSync(at('sub'), at('.away'));
    symlinkSync(outside, at('sub'));
  } else {
    rmSync(at('sub'));
    renameSync(at('.away'), at('sub'));
  }
}

mkdirSync(at('sub'), { recursive: true });
writeFileSync(at('sub/x.txt'), HARMLESS);
replaceFile(false);
process.stdout.write('ready\n');

let isOver = false;
process.stdin.on('end', () => {
  isOver = true;
});
process.stdin.resume();

let round = 0;
function swap(): void {
  for (let times = 0; times < 20; times++, round++) {
    replaceFile(round % 2 === 0);
    replaceFolder(round % 2 === 0);
  }
  if (!isOver) setImmediate(swap);
}
swap();
