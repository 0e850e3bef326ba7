/**
 * Prints how many functions of `src` a read, an edit with its question and a hosted call enter, and in how many files:
 * JSON, by name. The relay, the socket and the window run in this process; V8 counts.
 */
import { Session } from 'node:inspector/promises';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import * as bundle from '../../../src/server/sessions.ts';
import { Relay } from '../../../src/shim/relay/relay.ts';
import { Finder } from '../../../src/shim/window/finder.ts';
import { queryOf } from '../../../src/shim/window/windowQuery.ts';
import { Machine } from '../../wire/harness.ts';
import { definition, startAll } from '../../wire/hosting/support.ts';
import { RawClient } from '../../wire/rawClient.ts';
import type { Route } from './figures.ts';

const SOURCE = new URL('../../../src/', import.meta.url).href;

/** The client of a relay in this process. */
class Client extends RawClient {
  readonly #input = new PassThrough();

  constructor(home: string, cwd: string) {
    super();
    const output = new PassThrough();
    // Nothing of src: what the client does is not on the way.
    createInterface(output).on('line', (line) => this.take(JSON.parse(line)));
    const finder = new Finder(home, queryOf({}, { cwd, env: {} }), { cwd, version: '0.1.0' });
    const say = (text: string) => process.stderr.write(`${text}\n`);
    new Relay({ agent: { input: this.#input, output }, finder, say }).run(finder.look());
  }

  write(content: string | Uint8Array): void {
    this.#input.write(content);
  }
}

const machine = new Machine();
const window = await machine.open({
  trees: { ws: { 'src/a.py': 'a = 1\nb = 3\n' } },
  servers: { echo: definition('sdkServer') },
  bundle,
});
window.fake.languageServer = () => [];
window.consent.otherwise = () => ({ allow: 'once' });
await startAll(window);
const client = new Client(machine.home, window.path());
await client.initialize();
window.fake.person.opensTab(window.path('src/a.py'));
const call = async (name: string, args: object) => {
  const { result, error } = await client.request('tools/call', { name, arguments: args });
  if (error || result.isError) throw new Error(`${name}: ${JSON.stringify(error ?? result)}`);
  await after(300); // what follows an answer
};
const edit = (from: number, to: number) =>
  call('edit_file', { path: 'src/a.py', edits: [{ oldText: `a = ${from}`, newText: `a = ${to}` }] });
const read = () => call('read_file', { path: 'src/a.py' });
const hosted = () => call('echo__echo', { value: 'x' });

const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** The functions that are entered, apart from what a first call loads. */
async function routeOf(run: () => Promise<void>): Promise<Route> {
  await inspector.post('Profiler.takePreciseCoverage');
  await run();
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const files = result
    .filter(({ url }) => url.startsWith(SOURCE))
    .map(({ url, functions }) => ({
      file: url.slice(SOURCE.length),
      functions: functions
        .filter(
          ({ functionName, ranges: [all] }) => !functionName.startsWith('<') && (all?.startOffset ?? 0) > 0,
        )
        .map(({ functionName, ranges: [all] }) => ({ name: functionName, count: all?.count ?? 0 }))
        .filter(({ count }) => count > 0),
    }))
    .filter(({ functions }) => functions.length > 0);
  return { files };
}

await read();
await edit(1, 2);
await hosted();
const routes = {
  read: await routeOf(read),
  edit: await routeOf(() => edit(2, 3)),
  hosted: await routeOf(hosted),
};
process.stdout.write(JSON.stringify(routes), () => process.exit());
