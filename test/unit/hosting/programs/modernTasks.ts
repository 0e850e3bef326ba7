/** A server of 2026-07-28 that makes a task of each call, if the client takes tasks (the extension io.modelcontextprotocol/tasks). */
import { randomUUID } from 'node:crypto';
import { CLIENT_CAPABILITIES_META_KEY, type Result, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

// biome-ignore lint/suspicious/noExplicitAny: whatever came over the wire
type Untyped = any;

const tasks = new Map<string, Untyped>();
const text = (value: unknown) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
const done = (value: unknown) => ({ status: 'completed', result: text(value) });
const properties = { name: { type: 'string' } };
const question = { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties } };

/** What becomes of a task when its status is asked for. */
const work: Record<string, (task: Untyped) => object> = {
  finish: () => done('finished'),
  never: () => ({}),
  die: () => process.exit(7),
  fail: () => ({ status: 'failed', error: { code: -32001, message: 'no cheese', data: { own: 1 } } }),
  ask: ({ answer }) =>
    answer
      ? done(answer)
      : {
          status: 'input_required',
          inputRequests: { q1: { method: 'elicitation/create', params: question } },
        },
};

const plain: Record<string, () => unknown> = {
  statuses: () => [...tasks.values()].map(({ status }) => status),
};

const inputSchema = { type: 'object' as const };
const ofTask = z.looseObject({ taskId: z.string() });

serveStdio(
  () => {
    const capabilities = { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const server = new Server({ name: 'tasks', version: '2' }, { capabilities });
    const names = [...Object.keys(work), ...Object.keys(plain)];
    server.setRequestHandler('tools/list', () => ({ tools: names.map((name) => ({ name, inputSchema })) }));
    server.setRequestHandler('tools/call', ({ params: { name } }, { mcpReq }): Untyped => {
      if (plain[name]) return text(plain[name]());
      const { extensions }: Untyped = (mcpReq.envelope as Untyped)?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
      if (!extensions?.['io.modelcontextprotocol/tasks']) throw new Error('The client takes no tasks.');
      const now = new Date().toISOString();
      const times = { createdAt: now, lastUpdatedAt: now, ttlMs: 60_000, pollIntervalMs: 10 };
      const task = { taskId: randomUUID(), status: 'working', statusMessage: `${name} is at work`, ...times };
      tasks.set(task.taskId, { ...task, name });
      return { resultType: 'task', ...task };
    });
    const known = (id: string) => tasks.get(id) ?? fail();
    server.setRequestHandler('tasks/get', { params: ofTask }, ({ taskId }): Result => {
      const {
        name,
        answer: _,
        ...task
      } = Object.assign(known(taskId), work[known(taskId).name]?.(known(taskId)));
      return task;
    });
    server.setRequestHandler('tasks/update', { params: ofTask }, ({ taskId }, { mcpReq }): Result => {
      known(taskId).answer = mcpReq.inputResponses?.q1; // which the SDK takes out of the params
      return {};
    });
    server.setRequestHandler('tasks/cancel', { params: ofTask }, ({ taskId }): Result => {
      known(taskId).status = 'cancelled';
      return {};
    });
    return server;
  },
  { legacy: 'reject' },
);

function fail(): never {
  throw Object.assign(new Error('Task not found'), { code: -32602 });
}
