/** A small legacy MCP server that misbehaves: `faulty.ts MODE`. What a tool does is in `tools`. */
import { closeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const mode = process.argv[2] ?? 'plain';
// biome-ignore lint/suspicious/noExplicitAny: whatever came over the wire
type Untyped = any;
type Message = { id?: unknown; method?: string; params?: Untyped; result?: unknown };

const write = (message: object): boolean =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value: unknown) => ({ content: [{ type: 'text', text: String(value) }] });
const asked = new Map<unknown, (message: Message) => void>();

/** They get their arguments, also without `arguments` around them, and the params as they came. */
const tools: Record<string, (id: unknown, args: Untyped, params: Untyped) => void> = {
  echo: (id, _, params) => write({ id, result: { params } }),
  raw: (id, { result }) => write({ id, result }),
  pid: (id) => write({ id, result: text(process.pid) }),
  never: (id) => write({ method: 'notifications/message', params: { level: 'info', data: `waiting ${id}` } }),
  exit: () => {
    process.stderr.write('Error: out of cheese\nNode.js v0\n');
    process.exit(7);
  },
  flood: () => {
    const more = () => {
      while (write({ method: 'notifications/message', params: { level: 'debug', data: 'again' } }));
      process.stdout.once('drain', more);
    };
    more();
  },
  closeStdin: (id) => {
    process.stdin.destroy();
    closeSync(0); // which Node leaves open
    setInterval(() => {}, 1_000);
    write({ id, result: text('closed') });
  },
  /** Lines with its id and its progress token in them, all at once. */
  lines: (id, { lines, _meta }) => {
    const token = JSON.stringify(_meta?.progressToken ?? null);
    process.stdout.write(`${lines.join('\n').replaceAll('$id', `${id}`).replaceAll('$token', token)}\n`);
  },
  fail: (id) => write({ id, error: { code: -32042, message: 'no', data: { elicitations: [], own: 1 } } }),
  /** Says the same in a message, as progress, and in its result or error. */
  tell: (id, { said, fails, _meta }) => {
    write({ method: 'notifications/message', params: { level: 'error', data: { said } } });
    const { progressToken } = _meta;
    write({ method: 'notifications/progress', params: { progressToken, progress: 1, message: said } });
    const error = { code: -32000, message: said, data: { said } };
    write({ id, ...(fails ? { error } : { result: text(said) }) });
  },
  /** Used by test/host/answers too. */
  ask: (id, { method, params }) => {
    asked.set('q1', ({ id: _, ...answer }) => write({ id, result: answer }));
    write({ id: 'q1', method, params });
  },
  askText: (id, { method, params }) => {
    asked.set('q3', ({ id: _, ...answer }) => write({ id, result: text(JSON.stringify(answer)) }));
    write({ id: 'q3', method, params });
  },
  cancelOwn: (id, { method }) => {
    write({ id: 'q2', method, params: {} });
    write({ method: 'notifications/cancelled', params: { requestId: 'q2' } });
    write({ id, result: text('cancelled') });
  },
};

const listed = Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } }));

function take(message: Message): void {
  const { id, method, params } = message;
  if (method === undefined) asked.get(id)?.(message);
  else if (method === 'initialize')
    write({
      id,
      result: {
        protocolVersion: process.env.VERSION ?? params.protocolVersion,
        capabilities: { tools: {}, own: params.capabilities },
        serverInfo: { name: 'faulty', version: '1', own: true },
        instructions: 'Be careful.',
      },
    });
  else if (method === 'server/discover' && mode === 'modern')
    write({ id, result: { supportedVersions: ['2026-07-28'], capabilities: {} } });
  else if (method === 'notifications/initialized' && mode === 'seed')
    write({ id: null, error: { code: -32601, message: 'Method not found' } });
  else if (method === 'notifications/cancelled' || method === 'tasks/cancel')
    write({ method: 'notifications/seen', params });
  else if (method === 'tools/list') write({ id, result: { tools: listed } });
  else if (method === 'tools/call') tools[params.name]?.(id, { ...params.arguments, ...params }, params);
  else if (id !== undefined) write({ id, error: { code: -32601, message: 'Method not found' } });
}

if (mode === 'crash') {
  process.stderr.write('Error: no database\n');
  process.exit(3);
}
if (mode === 'stubborn') for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {});
if (mode === 'stubborn') setInterval(() => {}, 1_000);

/** It ends only when a test says that it has stopped what it started. */
if (mode === 'slow') {
  process.on('SIGUSR2', () => process.exit());
  process.stdin.on('end', () => process.stderr.write('stopping\n'));
  setInterval(() => {}, 1_000);
}

let isFirst = true;
createInterface({ input: process.stdin }).on('line', (line) => {
  const message: Message = JSON.parse(line);
  if (mode === 'exitsOnProbe' && isFirst && message.method !== 'initialize') process.exit(1);
  isFirst = false;
  if (mode !== 'silent') take(message);
});
