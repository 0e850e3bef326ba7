/** The cases under `test/host`: a directory each, with tests, a workspace, and `case.json` where it is a special one. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { cacheDirectory } from './paths.ts';

export interface Case {
  name: string;
  directory: string;
  /** Tests that run inside the extension host. */
  inside: string | undefined;
  /** Tests that drive the headless window from outside. */
  outside: string | undefined;
  /** Program that writes more files into the copy of the workspace, its only argument. */
  generate: string | undefined;
  /** An extension that the window has beside ours, if the tests run inside. */
  extension: string | undefined;
  options: CaseOptions;
}

/** What `case.json` may say. */
interface CaseOptions {
  /** The case whose workspace is copied, where it is not its own. */
  workspace?: string;
  /** What to open, relative to the workspace: a `.code-workspace` file, for instance. */
  target?: string;
  /** The case installs the packaged extension, dist/workspace-mcp.vsix. */
  installed?: boolean;
  /** It takes minutes, so it begins first. */
  isLong?: boolean;
  /** It runs only where it is named. */
  isOnRequest?: boolean;
}

/** @param names of the wanted cases; all of them when empty */
export function findCases(names: string[]): Case[] {
  const all = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => describeCase(entry.name))
    .filter(({ inside, outside }) => inside ?? outside);
  const unknown = names.find((name) => !all.some((one) => one.name === name));
  if (unknown) throw new Error(`No case "${unknown}"; there are: ${all.map(({ name }) => name).join(', ')}.`);
  return all.filter(({ name, options }) =>
    names.length === 0 ? !options.isOnRequest : names.includes(name),
  );
}

function describeCase(name: string): Case {
  const directory = join(import.meta.dirname, name);
  const file = (path: string) => (existsSync(join(directory, path)) ? join(directory, path) : undefined);
  const json = file('case.json');
  const options: CaseOptions = json ? JSON.parse(readFileSync(json, 'utf8')) : {};
  return {
    name,
    directory,
    inside: file('index.test.ts'),
    outside: file('browser.test.ts'),
    generate: file('generate.ts'),
    extension: file('extension'),
    options,
  };
}

/** Bundles the tests into one module whose `run()` the extension host calls; returns its path. */
export async function bundle({ name }: Case): Promise<string> {
  const outfile = join(cacheDirectory, 'cases', `${name}.cjs`);
  await build({
    stdin: {
      resolveDir: import.meta.dirname,
      contents: `import { runMochaInEditor } from './mochaRun.ts';
        export const run = () => runMochaInEditor(() => import('./${name}/index.test.ts'));`,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    sourcemap: 'inline',
    logLevel: 'warning',
    external: ['vscode', 'mocha'],
    plugins: [keepDirname],
  });
  return outfile;
}

/** A CommonJS bundle has no `import.meta`, but tests find the project's files by it. */
const keepDirname: Plugin = {
  name: 'keep-dirname',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]test[\\/].*\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.dirname',
        JSON.stringify(join(path, '..')),
      ),
    }));
  },
};
