/** A legacy server with an app, if the client shows some, whose tools have names of ours; it tells which of them was called. */
import { itemsOf } from '../../../../src/core/json.ts';
import { serveLegacy } from './legacyServer.ts';

const [, , slug = 'apps', page = 'text'] = process.argv;
const uri = 'ui://apps/page';
const html = `<!doctype html><html><head lang="en"><title>secret-1</title></head><body>${slug}</body></html>`;
let shown: unknown[] = [];
const inputSchema = { type: 'object' };
const tools = () => [
  { name: 'show', inputSchema, _meta: { 'ui/resourceUri': uri, ui: { resourceUri: uri, own: 1 } } },
  { name: 'read_file', inputSchema, _meta: { ui: { visibility: ['app'] } } },
  { name: 'a tool', inputSchema, annotations: { readOnlyHint: true } },
];

serveLegacy(
  slug,
  {
    'tools/list': () => ({ tools: shown.length > 0 ? tools() : [{ name: 'show', inputSchema }] }),
    'resources/list': () => ({ resources: [] }),
    'resources/read': (params) => ({
      contents: [
        {
          uri: params.uri,
          mimeType: 'text/html;profile=mcp-app',
          ...(page === 'text' ? { text: html } : { blob: Buffer.from(html).toString('base64') }),
          _meta: { ui: { csp: { connectDomains: ['https://example.com'] } } },
        },
      ],
    }),
    'tools/call': ({ name }) => ({ content: [{ type: 'text', text: `${slug}: ${name}` }] }),
  },
  { tools: {}, resources: {} },
  ({ capabilities }) => {
    const { mimeTypes } = capabilities?.extensions?.['io.modelcontextprotocol/ui'] ?? {};
    if (capabilities) shown = itemsOf(mimeTypes) as unknown[];
  },
);
