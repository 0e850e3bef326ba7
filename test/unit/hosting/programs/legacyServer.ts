/** What the legacy servers of the tests have in common. */
import { createInterface } from 'node:readline';

// biome-ignore lint/suspicious/noExplicitAny: whatever came over the wire
type Params = any;
export type Results = Record<string, (params: Params) => object>;

export const write = (message: object) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));

/** Answers requests by their methods. @param before called with the params of each request before its answer */
export function serveLegacy(
  name: string,
  results: Results,
  capabilities: object = { tools: {} },
  before = (_: Params) => {},
): void {
  const serverInfo = { name, version: '1' };
  const all: Results = {
    initialize: () => ({ protocolVersion: '2025-06-18', capabilities, serverInfo }),
    ...results,
  };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line);
    if (id === undefined) return;
    const result = all[method]?.(params);
    before(params);
    write({ id, ...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }) });
  });
}
