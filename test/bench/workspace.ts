/** The files that are read and edited. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const KB = 1024;

const LINE = 'export const total = (items: Item[]) => sum(items);\n';

/** `1kb.txt` and `1mb.txt`. */
export function writeTexts(folder: string): void {
  writeFileSync(join(folder, '1kb.txt'), LINE.repeat(Math.floor(KB / LINE.length)));
  writeFileSync(join(folder, '1mb.txt'), LINE.repeat(Math.floor((KB * KB) / LINE.length)));
}

export function writeWorkspace(folder: string): void {
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  writeTexts(folder);
  write('tsconfig.json', '{ "compilerOptions": { "strict": true }, "files": ["problem.ts", "edited.ts"] }\n');
  write('problem.ts', 'export const total: number = "none";\n');
  write('edited.ts', `${'// a line before\n'.repeat(50)}export const step: number = 1;\n`);
  write('edited.txt', `${'a line before\n'.repeat(50)}step = 1;\n`);
}
