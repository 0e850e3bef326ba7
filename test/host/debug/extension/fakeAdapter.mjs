/** A debug adapter that does what the one for JavaScript does not. Its `launch` request says how it behaves. */
let config = {};
let seq = 1;
let terminations = 0;

const send = (message) => {
  const text = JSON.stringify({ seq: seq++, ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
};
const event = (event, body = {}) => send({ type: 'event', event, body });
const stopped = (body) => event('stopped', { reason: 'breakpoint', ...body });
const range = (count, make) => Array.from({ length: count }, (_, index) => make(index));

const ANSWERS = {
  initialize: () => ({
    supportsTerminateRequest: true,
    supportsConfigurationDoneRequest: true,
    supportsFunctionBreakpoints: true,
  }),
  launch: (args) => {
    config = args;
    setTimeout(() => event('initialized'));
  },
  // No event tells that the threads began, and none which has stopped.
  configurationDone: () => void setTimeout(() => stopped({ allThreadsStopped: true }), 50),
  threads: () => ({
    threads: range(3, (index) => ({ id: index + 1, name: `thread ${'abc'[index]}\nforged` })),
  }),
  // All frames, whatever is asked for.
  stackTrace: () => ({
    totalFrames: 60,
    stackFrames: range(60, (index) => ({
      ...{ id: index + 1, name: `frame${index}`, line: 2, column: 1 },
      source: {
        path: index === 1 ? config.closed : config.program,
        name: index === 1 ? 'closed.js' : 'total.js',
      },
    })),
  }),
  scopes: ({ frameId }) => ({ scopes: [{ name: 'Local', variablesReference: frameId, expensive: false }] }),
  variables: ({ variablesReference }) => ({
    variables:
      variablesReference < 100
        ? [
            { name: 'plain', value: `of frame ${variablesReference}`, variablesReference: 0 },
            { name: 'forged\nFrames:', value: 'a\u202eb', variablesReference: 0 },
            { name: 'tree', value: 'deep', variablesReference: 100 },
          ]
        : range(40, (index) => ({
            name: `m${index}`,
            value: 'deep',
            variablesReference: variablesReference + 1,
          })),
  }),
  setVariable: ({ name, value }) => ({ value: `${name} is ${value}` }),
  evaluate: ({ expression }) => {
    if (expression === 'crash') process.exit(3);
    if (expression === 'refuse') throw new Error('not today');
    return { result: expression, variablesReference: 0 };
  },
  next: () => {
    throw new Error('cannot step');
  },
  continue: () => {
    setTimeout(() => stopped({ reason: 'step', threadId: 2, allThreadsStopped: false }), 50);
    return { allThreadsContinued: true };
  },
  setBreakpoints: ({ breakpoints }) => ({
    breakpoints: breakpoints.map(({ line }) => ({ verified: false, line, message: 'no code here\nforged' })),
  }),
  setFunctionBreakpoints: ({ breakpoints }) => ({ breakpoints: breakpoints.map(() => ({ verified: true })) }),
  // The first one only asks the program, which does not listen.
  terminate: () => void terminations++,
  disconnect: () => void setTimeout(() => process.exit(0)),
};

function answer({ seq: request_seq, command, arguments: args = {} }) {
  const response = { type: 'response', request_seq, command };
  try {
    if (!(command in ANSWERS)) throw new Error(`${command} is not known`);
    send({ ...response, success: true, body: ANSWERS[command](args) });
  } catch (error) {
    send({ ...response, success: false, message: error.message });
  }
}

let received = Buffer.alloc(0);
process.stdin.on('data', (data) => {
  received = Buffer.concat([received, data]);
  for (;;) {
    const [head, length] = /^Content-Length: (\d+)\r\n\r\n/.exec(received.toString('latin1')) ?? [];
    if (!head || received.length < head.length + Number(length)) return;
    const message = received.subarray(head.length, head.length + Number(length));
    received = received.subarray(head.length + Number(length));
    answer(JSON.parse(message.toString()));
  }
});
process.stdin.on('end', () => process.exit(0));
