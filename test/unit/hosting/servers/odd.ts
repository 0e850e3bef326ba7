/** A legacy server with odd names, and several pages of each list: `odd.ts`. A tool answers with its own name. */
import { createInterface } from 'node:readline';

const NAMES = ['a.b/c', 'a_b_c', 'x'.repeat(100), `${'x'.repeat(99)}y`, '工具', 'with space', '__proto__'];
const URIS = ['odd://ä/ö?q=%20#x', 'file:///etc/passwd', 'hosted://odd/inner', 'urn:isbn:1', ''];

const write = (message: object) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));

/** One item a page. */
function page(field: string, items: object[], cursor: string | undefined) {
  const index = Number(cursor ?? 0);
  const nextCursor = index + 1 < items.length ? { nextCursor: `${index + 1}` } : {};
  return { [field]: [items[index]], ...nextCursor };
}

const uriOf = (uri: string) => ({ contents: [{ uri, text: `of ${uri}` }] });
const results: Record<string, (params: { name: string; uri: string; cursor?: string }) => object> = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: 'odd', version: '1' },
  }),
  'tools/list': ({ cursor }) => {
    const tools = NAMES.map((name) => ({ name, inputSchema: { type: 'object' } }));
    return page('tools', tools, cursor);
  },
  'prompts/list': ({ cursor }) => {
    const prompts = NAMES.map((name) => ({ name }));
    return page('prompts', prompts, cursor);
  },
  'resources/list': ({ cursor }) => {
    const resources = URIS.map((uri) => ({ uri, name: uri }));
    return page('resources', resources, cursor);
  },
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: name }] }),
  'prompts/get': ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: name } }] }),
  'resources/read': ({ uri }) => uriOf(uri),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = results[method]?.(params ?? {});
  if (id === undefined) return;
  write({ id, ...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }) });
});
