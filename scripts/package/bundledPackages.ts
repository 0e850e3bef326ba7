/** The npm packages that are bundled, as `dist/meta.json` of the build tells. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../test/host/paths.ts';

export interface BundledPackage {
  name: string;
  version: string;
  /** As package.json spells it, `MIT` for instance. */
  license: string;
  /** Where it is installed. */
  directory: string;
  /** What the bundles have of it, before compression. */
  bytes: number;
}

/** esbuild's outputs: for each bundle what it is made of. */
type Outputs = Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;

/** Largest first. */
export function bundledPackages(): BundledPackage[] {
  const { outputs }: { outputs: Outputs } = JSON.parse(
    readFileSync(join(projectRoot, 'dist/meta.json'), 'utf8'),
  );
  const bytes = new Map<string, number>();
  for (const [input, { bytesInOutput }] of Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs),
  )) {
    const directory = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (directory) bytes.set(directory, (bytes.get(directory) ?? 0) + bytesInOutput);
  }
  return [...bytes].map(([path, size]) => describe(path, size)).sort((a, b) => b.bytes - a.bytes);
}

function describe(path: string, bytes: number): BundledPackage {
  const directory = join(projectRoot, path);
  const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  return { name, version, license, directory, bytes };
}
