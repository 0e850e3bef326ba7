import type { Approvals } from '../access/consent/approvals.ts';
import { settingValue } from '../core/settings.ts';
import type { AgentHooks } from '../features/hooks/agentHooks.ts';
import { PromptPreview } from '../features/prompts/index.ts';
import { type WindowServices, windowServices } from '../features/windowServices.ts';
import { Tasks } from '../protocol/tasks/tasks.ts';
import type { Debuggees } from '../services/debug/debuggees.ts';
import type { AgentRuns } from '../services/run/agentRuns.ts';
import { clock } from '../util/clock.ts';
import type { Agent } from './agent.ts';
import { AuthorIds } from './edits/authorIds.ts';
import { HookConnections } from './hookConnections.ts';
import type { AgentPeer } from './listener.ts';
import { AgentSession, type SessionOptions } from './session.ts';
import { TaskFiles } from './taskFiles.ts';

export { classifyInboundRequest } from '@modelcontextprotocol/server';
export { Hosting } from '../hosting/index.ts';
export { LEGACY_VERSIONS } from '../protocol/wire/incoming.ts';
export { explainAccess } from '../workspace/explainAccess.ts';
export { EditStore } from './edits/editStore.ts';

import type { Duplex } from 'node:stream';
import { MAX_LINE } from '../core/jsonRpc.ts';
import { Splitter } from '../core/text/lines.ts';
import { goodbyeLine } from '../ipc/preamble.ts';
import type { Outlet } from '../protocol/wire/outbox.ts';
import type { Channel, Wire } from '../protocol/wire/wire.ts';

/** Delay before changed calls are reported, in milliseconds: most calls have ended by then. */
const CALLS_PAUSE = 100;

/** Turns of the event loop: more than an answer needs to reach the socket. */
const TURNS = 10;

/** The sessions of a window: one for each connection. */
export class Sessions {
  readonly #options: SessionOptions;
  readonly #shared: WindowServices;
  readonly #authors: AuthorIds;
  readonly #open = new Set<AgentSession>();
  /** Without their agents: calls of them go on as tasks. */
  readonly #left = new Set<AgentSession>();
  readonly #hooks: HookConnections;
  readonly #tasks: Tasks;
  #stopReport: (() => void) | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#authors = options.authors ?? new AuthorIds({ edits: [] });
    this.#shared = windowServices(options.window);
    const { window, home } = options;
    this.#tasks = new Tasks({
      // Not `active`, which a progress that goes on keeps up.
      isAway: () => !window.vscode.window.state.focused,
      store: home === undefined ? undefined : new TaskFiles({ home, windowId: window.id }),
      log: window.log,
    });
    this.#hooks = new HookConnections(this.#shared, this.#authors, () => [...this.#open], this.#tasks);
    this.#shared.runs.onDidChangeList(this.#reportSoon);
    this.#shared.debuggees.onDidChange(this.#reportSoon);
    this.#shared.hooks.sessions.onDidTell(({ ctx, text }) =>
      [...this.#open].find((session) => session.ctx === ctx)?.wasTold(text),
    );
  }

  /** @param socket an authenticated connection */
  open(socket: Duplex, peer: AgentPeer): void {
    if (peer.purpose === 'hook') this.#hooks.open(socket);
    else this.serve(socketChannel(socket), peer);
  }

  /** @param channel to an authenticated agent */
  serve(channel: Channel, peer: AgentPeer): void {
    // Closed while the code was loading: there will be no "close" event.
    if (channel.isClosed) return;
    const { vscode, log } = this.#options.window;
    const id = this.#authors.begin(peer.resume);
    const place = { id, peer, onDidMeet: this.#agentsChanged, onDidChangeCalls: this.#reportSoon };
    const session = new AgentSession(channel, this.#shared, this.#tasks, this.#options, place);
    this.#open.add(session);
    channel.onClose(() => {
      this.#open.delete(session);
      session.dispose();
      this.#shared.hooks.sessions.ended(session.ctx);
      this.#shared.grants.end(peer.resume);
      this.#authors.end(id);
      this.#end(session, id);
      if (settingValue(vscode.workspace, 'run.stopWithAgent') === true) this.#shared.runs.stopOf(id);
      if (!session.agent) return;
      log.info(`disconnected: ${session.agent.name}`);
      this.#agentsChanged();
    });
  }

  /** Ends what only the agent needed, unless it is back by then, or calls that go on need it. */
  #end(session: AgentSession, id: number): void {
    const after = (isMeant: (tool: string) => boolean, end: () => void) => {
      const tasks = session.tasksOf(isMeant);
      if (tasks.length === 0) return end();
      const isBack = () => [...this.#open].some((one) => one.id === id);
      void Promise.all(tasks.map(({ ended }) => ended)).then(() => isBack() || end());
    };
    after(
      (tool) => tool.includes('__'),
      () => session.ctx.hosted.dispose(),
    );
    after(
      (tool) => tool === 'debug_start',
      () => this.#shared.endDebugging(id),
    );
    const left = session.tasksOf(() => true);
    if (left.length === 0) return;
    this.#left.add(session);
    void Promise.all(left.map(({ ended }) => ended)).then(() => {
      if (this.#left.delete(session)) this.#agentsChanged();
    });
  }

  readonly #agentsChanged = (): void => {
    const agents = this.agents();
    for (const session of [...this.#open, ...this.#left]) session.numberAmong(agents);
    this.#options.onDidChangeAgents(agents);
  };

  /** Called twice a call: so a timer that runs is left alone. */
  readonly #reportSoon = (): void => {
    this.#stopReport ??= clock.after(CALLS_PAUSE, () => {
      this.#stopReport = undefined;
      this.#options.onDidChangeCalls?.();
    });
  };

  get approvals(): Approvals {
    return this.#shared.approvals;
  }

  get hooks(): AgentHooks {
    return this.#shared.hooks;
  }

  get runs(): AgentRuns {
    return this.#shared.runs;
  }

  /** What is debugged, of agents and of the user. */
  get debuggees(): Debuggees {
    return this.#shared.debuggees;
  }

  /** The prompts as an agent without roots of its own gets them. */
  promptPreview(): PromptPreview {
    const noRoots = { paths: undefined, onDidChange: () => ({ dispose() {} }) };
    return new PromptPreview(this.#shared.contextFor(noRoots));
  }

  /** Agents that have introduced themselves, without mere probes of the supported versions; also those that are gone while calls of them go on. */
  agents(): readonly Agent[] {
    return [...this.#open, ...this.#left].flatMap(({ agent }) => agent ?? []);
  }

  /**
   * Answers agents that wait for an approval: nothing was done, because the window or its server ends. Resolves when the
   * answers are written.
   */
  async refuseWaiting(): Promise<void> {
    this.approvals.close();
    for (let turns = 0; turns < TURNS; turns++) await new Promise(setImmediate);
  }

  dispose(): void {
    this.#stopReport?.();
    this.#tasks.close();
    for (const session of this.#open) {
      session.dispose();
      session.ctx.hosted.dispose();
    }
    this.#left.clear();
    this.#open.clear();
    this.#hooks.dispose();
    this.#shared.dispose();
  }
}

/** A socket that carries one message a line. */
const socketChannel = (socket: Duplex): Channel => ({
  outlet: lineOutlet(socket),
  get isClosed() {
    return socket.destroyed || socket.writableEnded;
  },
  readInto: (wire) => takeLines(socket, wire),
  onClose: (listener) => void socket.once('close', listener),
  disconnect() {
    socket.write(goodbyeLine('disconnected'));
    // An agent that does not read would keep the connection open.
    socket.end(() => socket.destroy());
  },
});

/** Writes one line per message. Messages of one turn of the event loop go out in one system call. */
export function lineOutlet(socket: Duplex): Outlet {
  let corked = false;
  const uncork = () => {
    corked = false;
    socket.uncork();
  };
  return {
    send(text) {
      if (socket.writableEnded) return;
      if (!corked) setImmediate(uncork);
      if (!corked) socket.cork();
      corked = true;
      socket.write(text);
      socket.write('\n'); // joined to a long text, it would be copied first
    },
    unread: () => socket.writableLength,
    end: () => socket.end(),
  };
}

/** Passes the lines of a socket to a wire until either ends. Skips empty lines. */
export function takeLines(socket: Duplex, wire: Wire): void {
  const take = (line: string) => {
    const later = line.trim() === '' ? undefined : wire.take(line);
    if (!later) return;
    socket.pause();
    void later.then(() => socket.resume());
  };
  const lines = new Splitter('\n', MAX_LINE, take, (beginning, ending) =>
    wire.refuseTooLong(beginning, ending),
  );
  socket.setEncoding('utf8').on('data', (text: string) => {
    // After the last line to the agent, a request would be executed without an answer.
    if (!socket.writableEnded) lines.push(text);
  });
  socket.on('drain', () => wire.outbox.drained());
  socket.on('end', () => {
    lines.end();
    void wire.close();
  });
  socket.on('close', () => void wire.close());
}
