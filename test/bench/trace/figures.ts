/** How long the way of a call is, counted in functions: so that the next change sees when it grows. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { markdown } from '../table.ts';

/** What a call enters. */
export interface Route {
  files: { file: string; functions: { name: string; count: number }[] }[];
}

const CALLS = fileURLToPath(new URL('calls.ts', import.meta.url));

/** At most, of functions entered and of files. */
const AIMS = { read: [200, 45], edit: [800, 75], hosted: [230, 48] } as const;

type Name = keyof typeof AIMS;

export async function traceTable(): Promise<string> {
  const routes = await routesOf();
  const rows = Object.entries(AIMS).map(([name, [entries, files]]) => {
    const route = routes[name as Name];
    return [name, `${entriesOf(route)}`, `≤ ${entries}`, `${route.files.length}`, `≤ ${files}`];
  });
  return markdown(['the way of a call', 'functions entered', 'aim', 'files', 'aim'], rows);
}

async function routesOf(): Promise<Record<Name, Route>> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', CALLS], {
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(stdout);
}

const entriesOf = ({ files }: Route): number =>
  files.flatMap(({ functions }) => functions).reduce((sum, { count }) => sum + count, 0);

// Where they go, most first: `node test/bench/trace/figures.ts read`.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const route = (await routesOf())[process.argv[2] as Name];
  for (const { file, functions } of route.files)
    console.log(file, functions.map(({ name, count }) => `${name || '=>'}×${count}`).join(' '));
  console.log(`${entriesOf(route)} functions entered, ${route.files.length} files`);
}
