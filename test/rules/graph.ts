/** The import graph: with types as the compiler sees it, and without them as the bundles have it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { read, root } from './sources.ts';

export interface Import {
  from: string;
  to: string;
}

/** Every import between files of src, types included: `tsc --explainFiles` names who imports each file. */
export function importsInSrc(): Import[] {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const output = execFileSync(process.execPath, [tsc, '--noCheck', '--explainFiles'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const found: Import[] = [];
  let to = '';
  for (const line of output.split('\n')) {
    if (/^\S/.test(line)) to = line.trim();
    const from = /^\s+Imported via .* from file '([^']+)'/.exec(line)?.[1];
    if (from?.startsWith('src/') && to.startsWith('src/')) found.push({ from, to });
  }
  return found;
}

interface Metafile {
  inputs: Record<string, { imports: { path: string; external?: boolean }[] }>;
  outputs: Record<string, { inputs: Record<string, unknown> }>;
}

const metafile = (): Metafile => JSON.parse(read('dist/meta.json'));

/** What the files of src import at run time, modules of Node and of VS Code included. */
export const runtimeImports = (): Import[] =>
  Object.entries(metafile().inputs).flatMap(([from, { imports }]) =>
    from.startsWith('src/') ? imports.map(({ path }) => ({ from, to: path })) : [],
  );

/** The files that a bundle is made of, such as `extension.cjs`. */
export const filesOf = (bundle: string): string[] =>
  Object.keys(metafile().outputs[`dist/${bundle}`]?.inputs ?? {});

/** The arrows between the rooms of src, or of a folder in it: each child, file or folder, is a node. */
export function arrowsIn(folder: string, imports: readonly Import[]): Import[] {
  const child = (path: string) =>
    path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : undefined;
  const arrows = new Map<string, Import>();
  for (const one of imports) {
    const [from, to] = [child(one.from), child(one.to)];
    if (from && to && from !== to) arrows.set(`${from} ${to}`, { from, to });
  }
  return [...arrows.values()];
}

/** Where one can get from a node, itself only if there is a circle. */
export function reachable(from: string, arrows: readonly Import[]): Set<string> {
  const found = new Set<string>();
  const visit = (node: string): void => {
    for (const { from, to } of arrows) {
      if (from !== node || found.has(to)) continue;
      found.add(to);
      visit(to);
    }
  };
  visit(from);
  return found;
}

/** The files of the shortest way from one to another; none if there is no way. */
export function wayBetween(from: string, to: string, arrows: readonly Import[]): string[] {
  const ways: string[][] = [[from]];
  const seen = new Set([from]);
  for (const way of ways) {
    const last = way.at(-1);
    if (last === to) return way;
    for (const one of arrows) {
      if (one.from !== last || seen.has(one.to)) continue;
      seen.add(one.to);
      ways.push([...way, one.to]);
    }
  }
  return [];
}

/** The arrows that no longer way replaces: the fewest that show the same order. */
export const withoutShortcuts = (arrows: readonly Import[]): Import[] =>
  arrows.filter(({ from, to }) =>
    arrows.every((first) => first.from !== from || first.to === to || !reachable(first.to, arrows).has(to)),
  );

/**
 * The tests among `tests` that import one of these files, at any distance, types left out: the compiler checks those. What a
 * test starts as a process of its own is not followed.
 *
 * @param changed paths from the repository on, as all others
 */
export async function testsOf(changed: readonly string[], tests: readonly string[]): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: tests.map((path) => `import './${path}';`).join('\n'), resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outdir: 'nowhere',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const importers = new Map<string, string[]>();
  for (const [from, { imports }] of Object.entries(metafile.inputs))
    for (const { path } of imports) importers.set(path, [...(importers.get(path) ?? []), from]);
  const reached = new Set(changed);
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer);
  return tests.filter((path) => reached.has(path));
}
