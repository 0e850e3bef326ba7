/** The files that are read and edited. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const KB = 1024;

const LINE = 'export const total = (items: Item[]) => sum(items);\n';

const writeAll = (folder: string, files: Record<string, string>): void => {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
};

export const writeTexts = (folder: string): void =>
  writeAll(folder, {
    '1kb.txt': LINE.repeat(Math.floor(KB / LINE.length)),
    '1mb.txt': LINE.repeat(Math.floor((KB * KB) / LINE.length)),
  });

/** The texts, and what is edited: the floor has files of its own. */
export function writeWorkspace(folder: string): void {
  const code = `${'// a line before\n'.repeat(50)}export const step: number = 1;\n`;
  const text = `${'a line before\n'.repeat(50)}step = 1;\n`;
  writeTexts(folder);
  writeAll(folder, {
    'tsconfig.json':
      '{ "compilerOptions": { "strict": true }, "files": ["problem.ts", "edited.ts", "floor-edited.ts"] }\n',
    'problem.ts': 'export const total: number = "none";\n',
    'edited.ts': code,
    'edited.txt': text,
    'floor-edited.ts': code,
    'floor-edited.txt': text,
  });
}
