/** A server of MCP 2026-07-28 only, with everything that a server can list: `modernServer.ts`. The reference servers are older. */
import { completable, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const IMAGE = 'iVBORw0KGgo=';
const icons = [{ src: `data:image/png;base64,${IMAGE}`, mimeType: 'image/png', sizes: ['1x1'] }];
const annotations = { audience: ['user' as const], priority: 0.5 };
const note = { uri: 'note://a/b?c=1#d', mimeType: 'text/plain' };

const text = (value: string) => ({ type: 'text' as const, text: value });

function addTools(server: McpServer): void {
  const point = z.object({ x: z.number(), y: z.number() });
  server.registerTool(
    'mirror',
    {
      title: 'Mirror',
      description: 'Mirrors a point.',
      inputSchema: point,
      outputSchema: point,
      annotations: { readOnlyHint: true, openWorldHint: false },
      icons,
      _meta: { 'test/own': { deep: [1] } },
    },
    ({ x, y }) => ({
      content: [text('mirrored')],
      structuredContent: { x: y, y: x },
      _meta: { 'test/own': x },
    }),
  );
  server.registerTool('blocks', { description: 'One content block of each type.' }, () => ({
    content: [
      { ...text('annotated'), annotations, _meta: { 'test/own': 1 } },
      { type: 'image', data: IMAGE, mimeType: 'image/png' },
      { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      { type: 'resource_link', name: 'note', title: 'Note', icons, ...note },
      { type: 'resource', resource: { ...note, text: 'embedded', _meta: { 'test/own': 2 } }, annotations },
      { type: 'resource', resource: { uri: 'note://blob', blob: IMAGE } },
    ],
  }));
  server.registerTool('fail', { description: 'Fails.' }, () => ({
    content: [text('It failed.')],
    isError: true,
  }));
  server.registerTool('throw', { description: 'Throws.' }, () => {
    throw new Error('It threw.');
  });
}

function addResources(server: McpServer): void {
  server.registerResource(
    'note',
    note.uri,
    { title: 'Note', description: 'A note.', mimeType: note.mimeType, annotations, icons },
    () => ({
      contents: [{ ...note, text: 'content' }],
    }),
  );
  const complete = { name: (value: string) => ['alpha', 'beta'].filter((name) => name.startsWith(value)) };
  const template = new ResourceTemplate('page://{name}', { list: undefined, complete });
  server.registerResource(
    'page',
    template,
    { title: 'Page', mimeType: 'text/markdown' },
    ({ href }, { name }) => ({
      contents: [
        { uri: href, mimeType: 'text/markdown', text: `# ${name}` },
        { uri: `${href}/image`, mimeType: 'image/png', blob: IMAGE },
      ],
    }),
  );
}

function addPrompts(server: McpServer): void {
  const topics = ['red', 'rose'];
  const topic = completable(z.string().describe('What it is about'), (value) =>
    topics.filter((one) => one.startsWith(value)),
  );
  server.registerPrompt(
    'poem',
    { title: 'Poem', description: 'A poem.', argsSchema: z.object({ topic }), icons },
    (args) => ({
      description: 'As asked',
      messages: [
        { role: 'user', content: text(`Write about ${args.topic}.`) },
        { role: 'assistant', content: { type: 'resource_link', name: 'note', ...note } },
        { role: 'user', content: { type: 'resource', resource: { ...note, text: 'embedded' } } },
      ],
    }),
  );
}

serveStdio(
  () => {
    const server = new McpServer({ name: 'modern', version: '1' });
    addTools(server);
    addResources(server);
    addPrompts(server);
    return server;
  },
  { legacy: 'reject' },
);
