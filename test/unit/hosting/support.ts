/** Real servers as child processes; each test's must have ended with it. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { HostedConnection } from '../../../src/hosting/connection/openConnection.ts';
import {
  connectStdio,
  type StdioOptions,
  type StdioTransport,
} from '../../../src/hosting/connection/stdio.ts';
import { startTimeOf } from '../../../src/hosting/servers/leftovers.ts';
import type { ProcessCommand } from '../../../src/util/processGroup.ts';
import { isRunning } from '../../host/processes.ts';
import { until } from '../../until.ts';

export const program = (name: string): string =>
  fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url));

export const serverCommand = (name: string, ...args: string[]): ProcessCommand => ({
  command: process.execPath,
  args: [program(name), ...args],
  cwd: process.cwd(),
  env: { ...process.env, NODE_NO_WARNINGS: '1' },
});

/** A definition of one of the test servers. */
export const definition = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [program(name), ...args],
  env: { NODE_NO_WARNINGS: '1' },
});

/** A server behind a shell, as `npx` starts it. */
export const shellCommand = (mode: string): ProcessCommand => ({
  ...serverCommand('faulty'),
  command: 'sh',
  args: ['-c', `"${process.execPath}" "${program('faulty')}" ${mode}; exit 0`],
});

// biome-ignore lint/suspicious/noExplicitAny: whatever came over the wire
type Untyped = any;

/** The connections of a test. */
export class Servers {
  readonly notified: { method: string; params: Untyped }[] = [];
  readonly transports: StdioTransport[] = [];
  readonly started: number[] = [];
  readonly ended: number[] = [];
  readonly #connections: HostedConnection[] = [];

  async connect(command: ProcessCommand, options: Partial<StdioOptions> = {}): Promise<HostedConnection> {
    const connection = await connectStdio(command, {
      clientInfo: { name: 'test', version: '1' },
      processes: { add: (pid) => this.started.push(pid), remove: (pid) => this.ended.push(pid) },
      onNotification: (method, params) => this.notified.push({ method, params }),
      onTransport: (transport) => this.transports.push(transport),
      ...options,
    });
    this.#connections.push(connection);
    return connection;
  }

  /** A connection to the legacy server, without the probe. */
  faulty(mode = 'plain', options: Partial<StdioOptions> = {}): Promise<HostedConnection> {
    return this.connect(serverCommand('faulty', mode), { knownEra: 'legacy', ...options });
  }

  /** Ends what the test has started; the next one begins with nothing. */
  async dispose(): Promise<void> {
    await Promise.all(this.#connections.splice(0).map(({ client }) => client.close()));
    const [started, ended] = [this.started.splice(0), this.ended];
    for (const pid of started) await ends(pid);
    assert.deepEqual(ended.splice(0).toSorted(), started.toSorted());
    for (const seen of [this.notified, this.transports]) seen.length = 0;
  }
}

export const ends = async (pid: number): Promise<void> => {
  let start: string | undefined = '';
  await until(() => {
    if (process.platform === 'win32') return !isRunning(pid);
    void startTimeOf(pid).then((found) => {
      start = found;
    });
    return start === undefined;
  }, `the end of process ${pid}`);
};

/** Calls a tool. */
export const call = (
  { client }: HostedConnection,
  name: string,
  params: object = {},
  options = {},
): Promise<Untyped> => client.request('tools/call', { name, ...params }, options);
