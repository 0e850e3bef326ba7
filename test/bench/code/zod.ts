/** A real code base: the TypeScript sources that npm's `zod` carries, as a project that the language server can load. */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../host/paths.ts';

const zod = join(projectRoot, 'node_modules/zod');

/** Its tests import the package by its name. */
const PROJECT = {
  compilerOptions: {
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    paths: { zod: ['./src/index.ts'], 'zod/*': ['./src/*/index.ts'] },
  },
  include: ['src'],
};

export function writeZod(folder: string): void {
  mkdirSync(folder, { recursive: true });
  cpSync(join(zod, 'src'), join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(PROJECT));
}

/** The texts of its files, by path relative to the folder. */
export const textsOf = (folder: string): Map<string, string> =>
  new Map(
    globSync('src/**/*.ts', { cwd: folder })
      .sort()
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
