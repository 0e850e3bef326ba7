/**
 * `npm run package`: packs what `npm run build` has made into dist/workspace-mcp.vsix, and prints what is in it.
 * A warning of vsce is an error here, and so is a package over the limit.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Loader, transformSync } from 'esbuild';
import { minify } from 'terser';
import { projectRoot } from '../test/host/paths.ts';
import { bundledPackages } from './package/bundledPackages.ts';
import { thirdPartyNotices } from './package/notices.ts';
import { packedFiles } from './package/packed.ts';
import { packagedReadme, standaloneReadme } from './package/readme.ts';
import { repack } from './package/repack.ts';

/** Bytes that everything together may have. */
const LIMIT = 690 * 1024;

const at = (path: string) => join(projectRoot, path);
const vsix = at('dist/workspace-mcp.vsix');
const staging = at('dist/package');
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;

async function main(): Promise<void> {
  const packages = bundledPackages();
  writeFileSync(at('dist/THIRD_PARTY_NOTICES.txt'), thirdPartyNotices(packages));
  // vsce looks at every file below its folder, which takes a minute in the project itself.
  rmSync(staging, { recursive: true, force: true });
  for (const path of packedFiles()) await stage(path);
  const { readme, options } = aboutTheRepository();
  writeFileSync(join(staging, 'README.md'), readme);
  cpSync(at('.vscodeignore'), join(staging, '.vscodeignore'));
  vsce(['package', '--out', vsix, ...options]);
  await repack(vsix);
  console.log(`What is packed:\n${table(packedFiles().map(sizeOf))}`);
  console.log(`\nThe largest packages in the bundles:\n${table(packages.slice(0, 5))}`);
  const { size } = statSync(vsix);
  console.log(`\ndist/workspace-mcp.vsix: ${kilobytes(size)} (${size} bytes)`);
  if (size > LIMIT) throw new Error(`The package is larger than ${kilobytes(LIMIT)}.`);
}

/** Copies a file; JSON, and what a page loads, without its spaces, and bundles for Node as short as they get. */
async function stage(path: string): Promise<void> {
  cpSync(at(path), join(staging, path));
  const [, kind] = /^media\/.*\.(js|css)$/.exec(path) ?? [];
  const text = () => readFileSync(at(path), 'utf8');
  if (path.endsWith('.json')) {
    const { devDependencies, ...fields } = JSON.parse(text());
    writeFileSync(join(staging, path), JSON.stringify(fields));
  }
  if (/^dist\/(.*\.cjs|(?:relay|colours|lspServer)\.js)$/.test(path)) {
    const { code = '' } = await minify(text(), {
      ecma: 2020,
      toplevel: true,
      compress: { passes: 3 },
    });
    writeFileSync(join(staging, path), code);
  }
  if (kind)
    writeFileSync(join(staging, path), transformSync(text(), { minify: true, loader: kind as Loader }).code);
}

/** By `repository` vsce makes the addresses of the README's pictures and links; those of this version have its tag. */
function aboutTheRepository(): { readme: string; options: string[] } {
  const { repository, version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const text = packagedReadme(readFileSync(at('README.md'), 'utf8'));
  const readme = repository ? text : standaloneReadme(text);
  const options = repository ? ['--githubBranch', `v${version}`] : ['--allow-missing-repository'];
  return { readme, options };
}

/** @throws Error with all that it says, where it fails or warns */
function vsce(args: string[]): string {
  const program = at('node_modules/@vscode/vsce/vsce');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: staging,
    encoding: 'utf8',
  });
  const output = stdout + stderr;
  if (status !== 0) throw new Error(`vsce could not make the package:\n${output}`);
  if (/\bwarning\b/i.test(output))
    throw new Error(`vsce made the package, but not without a warning:\n${output}`);
  return output;
}

const sizeOf = (name: string) => ({ name, bytes: statSync(join(staging, name)).size });

/** Largest first, before compression. */
const table = (rows: { name: string; bytes: number }[]): string =>
  rows
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ name, bytes }) => `  ${kilobytes(bytes).padStart(9)}  ${name}`)
    .join('\n');

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
