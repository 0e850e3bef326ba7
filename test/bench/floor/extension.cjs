// What the extension is measured beside, in the same extension host: a socket whose requests cost nothing to answer.
// It also times how the extension itself is loaded and activated.
const { appendFileSync, rmSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { createServer } = require('node:net');

const { BENCH_SOCKET, BENCH_ACTIVATIONS } = process.env;

/** Runs something, and adds to a sum what it took in milliseconds: by the clock, and of this thread's time on a processor. */
function timed(sum, run) {
  const [started, before] = [performance.now(), process.threadCpuUsage()];
  const result = run();
  const { user, system } = process.threadCpuUsage(before);
  sum.clock += performance.now() - started;
  sum.busy += (user + system) / 1000;
  return result;
}

const least = { clock: 0, busy: 0 };
/** VS Code makes its API anew for each extension that asks. */
const vscode = timed(least, () => require('vscode'));

const report = (side, sum) =>
  appendFileSync(BENCH_ACTIVATIONS, `${JSON.stringify({ side, at: Date.now(), ...sum })}\n`);

/** Called when the extension is loaded: this one is there long before, while VS Code is still busy. */
let start;

const load = Module._load;
Module._load = function (request, ...rest) {
  if (!/workspace-mcp.*[\\/]dist[\\/]extension\.cjs$/.test(request)) return load.call(this, request, ...rest);
  start?.();
  start = undefined;
  const sum = { clock: 0, busy: 0 };
  const loaded = timed(sum, () => load.call(this, request, ...rest));
  const activate = (context) => {
    const api = timed(sum, () => loaded.activate(context));
    report('ours', sum);
    return api;
  };
  return { ...loaded, activate };
};

/** TypeScript's report on a text, as its server gives it. */
async function problemsOf({ uri: file }) {
  const kinds = ['syntactic', 'semantic', 'suggestion'].map(async (kind) => {
    const asked = ['typescript.tsserverRequest', `${kind}DiagnosticsSync`, { file }];
    return (await vscode.commands.executeCommand(...asked)).body.length;
  });
  return Promise.all(kinds);
}

/** A request names how many bytes of text it wants. */
const methods = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} }),
  echo: ({ bytes }) => ({ content: [{ type: 'text', text: 'x'.repeat(bytes) }] }),
  edit: async ({ path, oldText, newText }) => {
    const document = await vscode.workspace.openTextDocument(path);
    const start = document.getText().indexOf(oldText);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(start + oldText.length));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, range, newText);
    const applied = await vscode.workspace.applyEdit(edit);
    const saved = await document.save();
    return { applied, saved, problems: path.endsWith('.ts') ? await problemsOf(document) : undefined };
  },
  command: async ({ command, path, args: [at, ...more] }) => {
    const { uri } = await vscode.workspace.openTextDocument(path);
    const place = at ? [new vscode.Position(at.line, at.character)] : [];
    const started = performance.now();
    const answer = await vscode.commands.executeCommand(command, uri, ...place, ...more);
    const time = performance.now() - started;
    return { time, count: answer?.length ?? answer?.size ?? 0 };
  },
  /** Bytes of what the extension host has in use, without what it only has not collected yet; compiled code stays. */
  memory: () => {
    const { setFlagsFromString } = require('node:v8');
    for (const flag of ['--expose-gc', '--no-flush-bytecode']) setFlagsFromString(flag);
    require('node:vm').runInNewContext('gc')();
    const { heapUsed, external } = process.memoryUsage();
    return { bytes: heapUsed + external };
  },
};

function serve(socket) {
  let unfinished = '';
  socket.setEncoding('utf8').on('error', () => {});
  socket.on('data', async (text) => {
    const lines = (unfinished + text).split('\n');
    unfinished = lines.pop();
    for (const { id, method, params } of lines.map((line) => JSON.parse(line))) {
      const result = methods[method]?.(params);
      if (result) socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: await result })}\n`);
    }
  });
}

/** What no extension of this kind can do without: a socket, a record that leads to it, and an item in the status bar. */
function activateLeast(subscriptions) {
  rmSync(BENCH_SOCKET, { force: true });
  const server = createServer(serve).listen(BENCH_SOCKET);
  writeFileSync(`${BENCH_SOCKET}.json`, JSON.stringify({ socket: BENCH_SOCKET, pid: process.pid }));
  const item = vscode.window.createStatusBarItem('floor', vscode.StatusBarAlignment.Right);
  item.text = 'floor';
  item.show();
  subscriptions.push(item, { dispose: () => server.close() });
}

function activateAll(subscriptions) {
  timed(least, () => activateLeast(subscriptions));
  const path = `${BENCH_SOCKET}.sdk`;
  rmSync(path, { force: true });
  // Loaded with the first agent, as the extension loads its own.
  const sdk = createServer((socket) => require('./sdk.cjs').serveSdk(socket, methods.command)).listen(path);
  subscriptions.push({ dispose: () => sdk.close() });
  report('floor', least);
}

exports.activate = ({ subscriptions }) => {
  start = () => activateAll(subscriptions);
};
