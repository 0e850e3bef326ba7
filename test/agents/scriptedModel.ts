/** A model that makes the calls of a script, behind the HTTP APIs that programs of agents use, on the loopback interface. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Api, apis, type Body } from './modelApis.ts';

/** A tool as a request declares it, under the name by which the model calls it. */
export interface Declared {
  name: string;
  /** The API does not show it to the model before a search has found it. */
  isDeferred?: boolean;
}

export interface Call {
  name: string;
  /** The tool's group, in the API Responses. */
  namespace?: string;
  /** A text for a tool that takes no JSON. */
  arguments: object | string;
}

/** What a program has sent to its model in one request. */
export interface Turn {
  tools: readonly Declared[];
  /** What the calls so far have answered, as JSON, oldest first. */
  results: string[];
  /** The whole of it, as JSON. */
  text: string;
}

/** A call, or the last words. */
export type Reply = { call: Call; id: string } | { text: string };

/** A call that names what a result has named is made from the request. */
export type Step = Call | ((turn: Turn) => Call);

/**
 * Starts it. Each request gets the call that follows on the results that are in it.
 *
 * @param onTurn is told of each request with tools: the others are for titles and the like
 */
export async function startModel(script: readonly Step[], onTurn: (turn: Turn) => void) {
  function replyTo(api: Api, body: Body): Reply {
    const results = api.results(body).map((result) => JSON.stringify(result));
    const turn = { tools: api.tools(body), results, text: JSON.stringify(body) };
    const step = turn.tools.length > 0 && script[results.length];
    if (turn.tools.length > 0) onTurn(turn);
    const call = typeof step === 'function' ? step(turn) : step;
    return call ? { call, id: `call_${results.length}` } : { text: 'Done.' };
  }
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const api = apis.find(({ path }) => path.test(pathname));
    if (request.method !== 'POST' || !api) {
      response.writeHead(404).end();
      return;
    }
    const body: Body = await json(request);
    const reply = replyTo(api, body);
    const isStream = body.stream ?? pathname.endsWith(':streamGenerateContent');
    response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
    response.end(isStream ? api.events(reply).map(eventText).join('') : JSON.stringify(api.whole(reply)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A type in an event's data is the event's name too. */
function eventText(data: Body): string {
  const name = data.type ? `event: ${data.type}\n` : '';
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}
