import { MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { fieldsOf, isObject } from '../core/json.ts';
import { TASKS } from '../core/mcpExtensions.ts';
import type { Call } from '../features/context.ts';
import type { Serve, ServedConnection } from './connection.ts';
import type { TaskMethod } from './tasks/tasks.ts';

/** Whether the client of a call takes a task for an answer. */
export const takesTasks = (
  { era }: Pick<ServedConnection, 'era'>,
  { input: { capabilities } }: Pick<Call, 'input'>,
): boolean => era === 'modern' && isObject(fieldsOf(capabilities.extensions)[TASKS]);

const NEEDED = { requiredCapabilities: { extensions: { [TASKS]: {} } } };

const taskParams = z.object({ taskId: z.string() });

/** The methods of tasks. They are of 2026-07-28 and later. */
export function serveTasks(serve: Serve, connection: ServedConnection): void {
  const serveOne = (method: TaskMethod) =>
    serve(
      method,
      taskParams,
      ({ taskId }, call) => {
        if (!takesTasks(connection, call)) throw new MissingRequiredClientCapabilityError(NEEDED);
        // The SDK takes `inputResponses` out of the params of every request.
        return connection.tasks.find(method, { taskId, inputResponses: call.input.answers });
      },
      { isForAnyRoots: true },
    );
  serveOne('tasks/get');
  serveOne('tasks/cancel');
  serveOne('tasks/update');
}
