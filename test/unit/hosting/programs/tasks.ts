/** A server of 2025-11-25 whose tools are tasks, made with the first SDK. A client that calls them in the plain way gets an error. */
import { setTimeout as delay } from 'node:timers/promises';
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import type { CreateTaskRequestHandlerExtra } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const store = new InMemoryTaskStore();
const tasks = { cancel: {}, requests: { tools: { call: {} } } };
const server = new McpServer(
  { name: 'tasks', version: '1' },
  { capabilities: { tools: {}, tasks }, taskStore: store, taskMessageQueue: new InMemoryTaskMessageQueue() },
);
const text = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] });

/** What the tools do, once their task is there. */
const work: Record<string, (id: string, extra: CreateTaskRequestHandlerExtra) => Promise<unknown>> = {
  finish: () => delay(400, 'finished'),
  never: () => new Promise(() => {}),
  die: async () => process.exit(7),
  fail: async (id) => store.storeTaskResult(id, 'failed', { ...text('no cheese'), isError: true }),
  async ask(id) {
    await store.updateTaskStatus(id, 'input_required');
    const properties = { name: { type: 'string' as const } };
    const requestedSchema = { type: 'object' as const, properties };
    // Waits until the client asks for the result.
    const options = { relatedTask: { taskId: id } };
    return await server.server.elicitInput({ mode: 'form', message: 'Who?', requestedSchema }, options);
  },
};

for (const [name, run] of Object.entries(work))
  server.experimental.tasks.registerToolTask(
    name,
    { execution: { taskSupport: 'required' } },
    {
      async createTask(extra) {
        const task = await extra.taskStore.createTask({ ttl: 60_000, pollInterval: 10 });
        setImmediate(async () => {
          await store.updateTaskStatus(task.taskId, 'working', `${name} is at work`);
          const result = await run(task.taskId, extra);
          if (result !== undefined) await store.storeTaskResult(task.taskId, 'completed', text(result));
        });
        return { task };
      },
      getTask: async ({ taskId, taskStore }) => await taskStore.getTask(taskId),
      getTaskResult: async ({ taskId, taskStore }) => (await taskStore.getTaskResult(taskId)) as never,
    },
  );
server.registerTool('statuses', {}, () => text(store.getAllTasks().map(({ status }) => status)));

process.stdin.on('end', () => process.exit()); // the store's timers would keep it running
await server.connect(new StdioServerTransport());
