import { fieldsOf, itemsOf, parsedJson } from '../../core/json.ts';

/** Where the user's approval of a server is kept. @param server from `serverKey` */
export const approvalKey = (server: string): string => `hosting.approval:${server}`;

/**
 * Stands for one approval of a server. What the user allows the server or agents that call it is kept by it, and so ends with the
 * approval.
 *
 * @param server from `serverKey`
 * @param approval its id
 */
export const grantKey = (server: string, approval: string | undefined): string =>
  JSON.stringify([...itemsOf(parsedJson(server)), approval]);

/**
 * Whether the approval still holds.
 *
 * @param store VS Code's global state
 * @param key from `grantKey`; one of another kind always holds
 */
export function holds(store: { get(key: string): unknown }, key: string): boolean {
  const parts = itemsOf(parsedJson(key));
  if (parts.length === 0) return true;
  return fieldsOf(store.get(approvalKey(JSON.stringify(parts.slice(0, -1))))).id === parts.at(-1);
}
