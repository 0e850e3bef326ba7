// The least that a server of the SDK does: its lines, schemas and handlers, and a tool that answers with a constant, or runs a command.
const { Server } = require('@modelcontextprotocol/server');
const { StdioServerTransport } = require('@modelcontextprotocol/server/stdio');

exports.serveSdk = (socket, command) => {
  const server = new Server({ name: 'floor', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given } }) => {
    const text = name === 'echo' ? 'x'.repeat(given.bytes) : JSON.stringify(await command(given));
    return { content: [{ type: 'text', text }] };
  });
  server.connect(new StdioServerTransport(socket, socket));
};
