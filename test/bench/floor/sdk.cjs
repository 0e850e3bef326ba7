// The least that a server of the SDK does: its lines, schemas and handlers, and a tool that answers with a constant.
const { Server } = require('@modelcontextprotocol/server');
const { StdioServerTransport } = require('@modelcontextprotocol/server/stdio');

exports.serveSdk = (socket) => {
  const server = new Server({ name: 'floor', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: 'x'.repeat(params.arguments.bytes) }],
  }));
  server.connect(new StdioServerTransport(socket, socket));
};
