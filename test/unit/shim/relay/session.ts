import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { WindowRecord } from '../../../../src/ipc/windowRecord.ts';
import { type Ending, Relay } from '../../../../src/shim/relay/relay.ts';
import type { Times } from '../../../../src/shim/relay/search.ts';
import type { Finder, LookResult } from '../../../../src/shim/window/finder.ts';
import type { HeldClock } from '../../../fakes/clock.ts';
import { windowOf } from '../records.ts';
import { Reader, socketPair } from '../streams.ts';

Object.assign(globalThis, {
  __CATALOGUE__: JSON.stringify({
    serverInfo: { name: 'workspace-mcp', version: '1.0.0' },
    instructions: 'What it is.',
    capabilities: { tools: { listChanged: true } },
    versions: { legacy: ['2025-11-25', '2024-11-05'], modern: ['2026-07-28'] },
    tools: [
      { name: 'look', annotations: { readOnlyHint: true } },
      { name: 'edit', annotations: { readOnlyHint: false } },
    ],
    core: { names: ['look'], search: [{ name: 'find' }] },
    resourceTemplates: [],
  }),
});

export const rpc = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
export const request = (id: unknown, method = 'a', params?: object) =>
  rpc({ id, method, ...(params && { params }) });
export const answer = (id: unknown, result: object = {}) => rpc({ id, result });
export const call = (id: unknown, name: string, _meta?: object) =>
  request(id, 'tools/call', { name, ...(_meta && { _meta }) });
export const cancel = (requestId: unknown) =>
  rpc({ method: 'notifications/cancelled', params: { requestId } });
export const INITIALIZED = rpc({ method: 'notifications/initialized' });

export const NONE = { kind: 'none', message: 'No window: open one.' } as const;

/** More than all limits together, in milliseconds. */
const LONGEST = 120_000;

/** The windows that a relay finds, one after the other. */
class Windows {
  /** The windows' ends of the connections. */
  readonly ends: Socket[] = [];
  /** What is found instead of a window. */
  none: (LookResult & { kind: 'none' }) | undefined;
  readonly selected: string[] = [];
  twins: object[] = [];
  isStuck = false;
  roots: readonly string[] = [];
  records: readonly WindowRecord[] = [];
  hasNews = false;
  /** Until then a look takes. */
  opening = Promise.resolve();
  /** Since when the windows were to have been opened, at each look. */
  readonly sought: (number | undefined)[] = [];

  readonly finder = Object.defineProperties(
    {
      watch: () => ({ dispose() {} }),
      select: (id: string) => this.selected.push(id),
      isOther: () => false,
      look: (since?: number) => {
        this.sought.push(since);
        this.hasNews = false;
        return this.look();
      },
      isMakeshift: () => false,
      stamp: () => `${this.ends.length}${this.none?.message}`,
      refresh: () => {},
      take: () => {},
      noteStopped: () => {},
      twinsOf: () => this.twins,
      isStuck: async () => this.isStuck,
      lookForTwin: () => this.open(),
      records: () => this.records,
    },
    {
      roots: {
        set: (roots: string[]) => {
          this.roots = roots;
        },
      },
      hasNews: { get: () => this.hasNews },
    },
  ) as unknown as Finder;

  async look(): Promise<LookResult> {
    await this.opening;
    return this.none ?? { kind: 'window', connection: await this.open() };
  }

  async open() {
    const [socket, end] = await socketPair();
    for (const one of [socket, end]) one.on('error', () => {});
    this.ends.push(end);
    return { socket, record: windowOf(`w${this.ends.length}`, ['/ws']), resume: '' };
  }
}

/** What a window reads, and its end of the connection. */
export class WindowEnd extends Reader {
  readonly socket: Socket;

  constructor(socket: Socket) {
    super(socket);
    this.socket = socket;
  }

  write(...lines: string[]): void {
    this.socket.write(lines.join(''));
  }
}

/** An agent, the relay that it has started, and the windows behind that. */
export class Session {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly windows = new Windows();
  /** What the relay has shown to the user. */
  readonly said: string[] = [];
  ending: Promise<Ending> | undefined;
  readonly #clock: HeldClock;
  readonly #readers: WindowEnd[] = [];
  #agent: Reader | undefined;

  constructor(clock: HeldClock) {
    this.#clock = clock;
  }

  /** @param looking the first search */
  start({
    looking = this.windows.look(),
    ...times
  }: Partial<Times> & { looking?: Promise<LookResult> } = {}): void {
    const { input, output, windows } = this;
    const say = (line: string) => this.said.push(line);
    this.ending = new Relay({ agent: { input, output }, finder: windows.finder, say, times }).run(looking);
  }

  /** Starts with a window. */
  async connected(): Promise<WindowEnd> {
    this.start();
    return this.window(1);
  }

  /** What the agent reads, from the first time on that this is asked for. */
  get agent(): Reader {
    this.#agent ??= new Reader(this.output);
    return this.#agent;
  }

  write(...lines: string[]): void {
    this.input.write(lines.join(''));
  }

  /** The window that was found as so manieth, once it was. */
  async window(count: number): Promise<WindowEnd> {
    const { ends } = this.windows;
    await this.pass(() => ends.length >= count);
    this.#readers[count] ??= new WindowEnd(ends[count - 1] as Socket);
    return this.#readers[count];
  }

  /** Lets time pass until something holds, or until the agent has read a text. */
  async pass(condition: string | (() => boolean)): Promise<void> {
    const { agent } = typeof condition === 'string' ? this : { agent: undefined };
    const holds = () => (typeof condition === 'string' ? agent?.text.includes(condition) : condition());
    for (let passed = 0; !holds(); passed += 100) {
      if (passed > LONGEST) throw new Error(`It never came: ${condition}`);
      await this.#clock.pass(100);
    }
  }

  close(): void {
    this.output.destroy();
    for (const end of this.windows.ends) end.destroy();
  }
}

/** Waits for what takes no time of the product. */
export async function turnsUntil(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns++) {
    if (turns > LONGEST) throw new Error('It never came.');
    await turn();
  }
}
