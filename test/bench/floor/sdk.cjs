// The simplest server of the SDK: its lines, schemas and handlers, and tools that do no more than they must.
const { realpath } = require('node:fs/promises');
const { dirname } = require('node:path');
const { Server } = require('@modelcontextprotocol/server');
const { StdioServerTransport } = require('@modelcontextprotocol/server/stdio');
const { languages, Uri } = require('vscode');

exports.serveSdk = (socket, command) => {
  const tools = {
    echo: ({ bytes }) => answer('x'.repeat(bytes)),
    command: async (given) => answer(JSON.stringify(await command(given))),
    get_diagnostics: async ({ path }) => answer(problemsOf(await realpath(path))),
    read_text_file: readAsPeer,
  };
  const server = new Server({ name: 'floor', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', async ({ params }) => tools[params.name](params.arguments));
  server.connect(new StdioServerTransport(socket, socket));
};

const answer = (text) => ({ content: [{ type: 'text', text }] });

const problemsOf = (path) =>
  languages
    .getDiagnostics(Uri.file(path))
    .map(({ range: { start }, message }) => `${path}:${start.line + 1}:${start.character + 1} ${message}`)
    .join('\n');

let peer;

/** With the peer's own functions, and with its answer: the text comes twice. */
async function readAsPeer({ path }) {
  peer ??= import(process.env.BENCH_PEER);
  const { setAllowedDirectories, validatePath, readFileContent } = await peer;
  setAllowedDirectories([dirname(path)]);
  const content = await readFileContent(await validatePath(path));
  return { ...answer(content), structuredContent: { content } };
}
