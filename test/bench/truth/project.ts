/** A solution of 13 TypeScript projects, made from zod's sources: its tests and benchmarks are projects of their own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { writeZod } from '../code/zod.ts';

interface Project {
  /** Where its configuration is. */
  config: string;
  /** Its files, relative to that. */
  include: string[];
  exclude?: string[];
  /** What it is built from; that has `isBuilt`. The others read the sources of what they import. */
  references?: string[];
  isBuilt?: boolean;
}

const V3 = 'src/v3/tsconfig.json';

/** As people lay them out: beside the files, at the top with a name of its own (as Vite's templates do), or beside another one. */
const PROJECTS: readonly Project[] = [
  { config: V3, include: ['.'], exclude: ['tests', 'benchmarks'], isBuilt: true },
  { config: 'src/v3/tests/tsconfig.json', include: ['.'], references: [V3] },
  { config: 'src/v3/benchmarks/tsconfig.json', include: ['.'], references: [V3] },
  { config: 'src/v4/core/tsconfig.json', include: ['.'], exclude: ['tests'] },
  { config: 'src/v4/core/tests/tsconfig.json', include: ['.'], exclude: ['locales'] },
  { config: 'src/v4/core/tests/locales/tsconfig.json', include: ['.'] },
  { config: 'src/v4/locales/tsconfig.json', include: ['.'] },
  { config: 'src/v4/classic/tsconfig.json', include: ['.'], exclude: ['tests'] },
  { config: 'tsconfig.classic-tests.json', include: ['src/v4/classic/tests'] },
  { config: 'src/v4/mini/tsconfig.json', include: ['.'], exclude: ['tests'] },
  { config: 'src/v4/mini/tsconfig.test.json', include: ['tests'] },
  { config: 'src/mini/tsconfig.json', include: ['.', '../v4-mini', '../locales'] },
  { config: 'tsconfig.entry.json', include: ['src/*.ts', 'src/v4/*.ts'] },
];

const FROM_PACKAGE = ['', '/v3', '/v4', '/v4/core', '/mini', '/locales'];

const BASE = {
  compilerOptions: {
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    allowImportingTsExtensions: true,
    paths: Object.fromEntries(FROM_PACKAGE.map((name) => [`zod${name}`, [`./src${name}/index.ts`]])),
  },
};

/** Other packages, as far as the sources use them. */
const PACKAGES = `declare module 'vitest' {
  interface Anything {
    <T>(...values: any[]): Anything;
    [name: string]: Anything;
  }
  export const expect: any, vi: any, test: any, it: any, describe: any, assertType: Anything;
  export const beforeEach: any, afterEach: any, beforeAll: any, afterAll: any;
  export const expectTypeOf: Anything;
}
declare module 'benchmark';
declare module 'esbuild';
declare module 'ts-morph';
declare module 'recheck';
declare module 'node:*';
declare module 'path';
`;
const TYPES = 'types/packages.d.ts';

/** @param built a folder outside of it for what compilers write */
export function writeProjects(folder: string, built: string): void {
  writeZod(folder);
  mkdirSync(join(folder, 'types'), { recursive: true });
  writeFileSync(join(folder, TYPES), PACKAGES);
  const write = (path: string, config: object) =>
    writeFileSync(join(folder, path), JSON.stringify(config, null, 2));
  write('tsconfig.base.json', BASE);
  write('tsconfig.json', {
    files: [],
    references: PROJECTS.map(({ config }) => ({ path: `./${config}` })),
  });
  for (const { config, include, exclude = [], references = [], isBuilt } of PROJECTS) {
    const from = posix.dirname(config);
    const name = config.replaceAll('/', '-');
    const own = isBuilt && {
      composite: true,
      noEmit: false,
      emitDeclarationOnly: true,
      allowImportingTsExtensions: false,
      rootDir: posix.relative(from, '.') || '.',
      outDir: join(built, name),
    };
    write(config, {
      extends: posix.join(posix.relative(from, '.'), 'tsconfig.base.json').replace(/^(?!\.)/, './'),
      compilerOptions: { tsBuildInfoFile: join(built, `${name}.tsbuildinfo`), ...own },
      include: [...include, posix.relative(from, TYPES)],
      exclude,
      references: references.map((path) => ({ path: posix.relative(from, path) })),
    });
  }
}
