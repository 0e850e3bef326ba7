import type { Duplex, Readable, Writable } from 'node:stream';
import { InFlight } from './inFlight.ts';
import { Lines } from './lines.ts';
import { errorAnswer, headSuffices } from './messages.ts';

/** How long the window may take, in milliseconds, to answer what is in flight when the agent has sent its last. */
const DRAIN_TIMEOUT = 60_000;

/** The same for lines that are no requests, which the window may answer with an error or not at all. */
const REFUSAL_TIMEOUT = 1_000;

/** The agent's side: stdin and stdout. */
export interface Agent {
  input: Readable;
  output: Writable;
}

/** Why a relay ended. */
export type Ending = 'answered everything' | 'left requests unanswered' | 'agent gone' | 'window gone';

/**
 * Carries bytes both ways, unchanged, until one side ends. When the agent's input ends, its requests are still
 * answered; when the window goes, each of them is answered with an error. `say` tells the person what went wrong.
 */
export async function relay(agent: Agent, socket: Duplex, say: (text: string) => void): Promise<Ending> {
  const inFlight = new InFlight();
  const { ending, midLine } = await carry(agent, socket, inFlight);
  socket.destroy();
  if (ending === 'left requests unanswered') {
    say(`${inFlight.awaited} requests were not answered within ${DRAIN_TIMEOUT / 1000} s after stdin ended.`);
  }
  if (ending === 'window gone') {
    const message =
      'The VS Code window ended the connection: it was closed or reloaded, or its server was stopped. Reconnect this MCP server; if no window is found then, open the folder in VS Code, or run "Workspace MCP: Start Server" there.';
    say(message);
    // What the window had begun to write must not swallow the first error.
    if (midLine) agent.output.write('\n');
    for (const id of inFlight.ids) agent.output.write(errorAnswer(id, message));
  }
  return ending;
}

/** The relay itself; `midLine` says whether the window's last line has begun and not ended. */
function carry(
  agent: Agent,
  socket: Duplex,
  inFlight: InFlight,
): Promise<{ ending: Ending; midLine: boolean }> {
  return new Promise((resolve) => {
    const fromAgent = new Lines((line) => inFlight.sent(line));
    const fromWindow = new Lines((line) => inFlight.answered(line), headSuffices);
    const end = (ending: Ending): void => {
      unpipe();
      resolve({ ending, midLine: fromWindow.unfinished });
    };
    const drain = async (): Promise<void> => {
      if (fromAgent.unfinished) {
        socket.write('\n');
        fromAgent.end();
      }
      if (!(await inFlight.drained(DRAIN_TIMEOUT, REFUSAL_TIMEOUT))) return end('left requests unanswered');
      // A last notification is still on its way to the window. Half-closing is for that: no answer comes after it.
      socket.end(() => end('answered everything'));
    };
    const unpipe = listeners(
      ...pipe(agent.input, socket, fromAgent),
      ...pipe(socket, agent.output, fromWindow),
      [agent.input, 'end', () => void drain()],
      [agent.input, 'error', () => void drain()],
      [agent.output, 'error', () => end('agent gone')],
      [agent.output, 'close', () => end('agent gone')],
      [socket, 'close', () => end('window gone')],
    );
  });
}

type Subscription = [stream: Readable | Writable, event: string, listener: (chunk: Buffer) => void];

/** Forwards first and counts afterwards, so that counting costs no latency; holds the source while the sink is full. */
const pipe = (source: Readable, sink: Writable, lines: Lines): Subscription[] => [
  [
    source,
    'data',
    (chunk) => {
      if (!sink.write(chunk)) source.pause();
      lines.push(chunk);
    },
  ],
  [sink, 'drain', () => source.resume()],
];

/** Subscribes to all; the result ends all. */
function listeners(...subscriptions: Subscription[]): () => void {
  for (const [stream, event, listener] of subscriptions) stream.on(event, listener);
  return () => {
    for (const [stream, event, listener] of subscriptions) stream.off(event, listener);
  };
}
