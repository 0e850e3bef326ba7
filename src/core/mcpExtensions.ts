/** Extensions of MCP that both sides declare. */
import { fieldsOf, itemsOf } from './json.ts';

/** MCP 2026-07-28, SEP-2663: a server may answer a call with a task. */
export const TASKS = 'io.modelcontextprotocol/tasks';

/** MCP Apps, 2026-01-26: servers give tools pages, which the client shows. */
const EXTENSION = 'io.modelcontextprotocol/ui';
const PAGE_TYPE = 'text/html;profile=mcp-app';

/** What a client declares that shows apps. */
export const APPS = { extensions: { [EXTENSION]: { mimeTypes: [PAGE_TYPE] } } };

/** @param capabilities of a client, unchecked */
export function declaresApps(capabilities: unknown): boolean {
  const { mimeTypes } = fieldsOf(fieldsOf(fieldsOf(capabilities).extensions)[EXTENSION]);
  return itemsOf(mimeTypes).includes(PAGE_TYPE);
}
