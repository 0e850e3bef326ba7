import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { Emitter } from './emitter.ts';
import { live } from './strict.ts';

type Fields = Record<string, unknown>;

class FakeBreakpoint {
  static #next = 1;
  readonly id = `breakpoint-${FakeBreakpoint.#next++}`;
  readonly enabled: boolean;
  readonly condition: string | undefined;
  readonly hitCondition: string | undefined;
  readonly logMessage: string | undefined;

  constructor(enabled = true, condition?: string, hitCondition?: string, logMessage?: string) {
    this.enabled = enabled;
    this.condition = condition;
    this.hitCondition = hitCondition;
    this.logMessage = logMessage;
  }
}

export class SourceBreakpoint extends FakeBreakpoint {
  readonly location: vscode.Location;
  constructor(location: vscode.Location, ...more: ConstructorParameters<typeof FakeBreakpoint>) {
    super(...more);
    this.location = location;
  }
}

export class FunctionBreakpoint extends FakeBreakpoint {
  readonly functionName: string;
  constructor(functionName: string, ...more: ConstructorParameters<typeof FakeBreakpoint>) {
    super(...more);
    this.functionName = functionName;
  }
}

/** A session of VS Code, whose adapter a test plays. */
export class FakeSession {
  readonly name: string;
  readonly type: string;
  readonly configuration: vscode.DebugConfiguration;
  readonly parentSession: FakeSession | undefined;
  readonly workspaceFolder = undefined;
  readonly id = randomUUID();
  /** What its adapter answers; a request without an entry is refused. */
  readonly answers: Record<string, (args: Fields) => unknown> = {};
  /** What it was asked. */
  readonly requests: { command: string; args: Fields }[] = [];
  /** Until it resolves, nothing gets through the workbench. */
  workbench: Promise<void> = Promise.resolve();
  readonly #tracker: vscode.DebugAdapterTracker;
  #seq = 1;

  constructor(
    configuration: vscode.DebugConfiguration,
    parent: FakeSession | undefined,
    track: (session: FakeSession) => vscode.DebugAdapterTracker,
  ) {
    this.name = configuration.name;
    this.type = configuration.type;
    this.configuration = configuration;
    this.parentSession = parent;
    this.#tracker = track(this);
  }

  readonly getDebugProtocolBreakpoint = (): Promise<undefined> => this.workbench.then(() => undefined);

  readonly customRequest = async (command: string, args: Fields): Promise<unknown> => {
    await this.workbench;
    const seq = this.#seq++;
    this.requests.push({ command, args });
    this.#tracker.onWillReceiveMessage?.({ type: 'request', seq, command, arguments: args });
    const answer = this.answers[command];
    this.#tracker.onDidSendMessage?.({
      type: 'response',
      request_seq: seq,
      command,
      success: answer !== undefined,
      body: {},
    });
    if (!answer) throw new Error(`no ${command} here`);
    return answer(args);
  };

  /** The adapter tells something. @returns the message as VS Code gets it */
  tells(event: string, body: Fields): Fields {
    const message = { type: 'event', event, body };
    this.#tracker.onDidSendMessage?.(message);
    return message;
  }

  /** The adapter refuses a request of VS Code. */
  fails(command: string, error: string): void {
    const body = { error: { id: 1, format: error } };
    this.#tracker.onDidSendMessage?.({
      type: 'response',
      request_seq: this.#seq++,
      command,
      success: false,
      body,
    });
  }

  /** VS Code asks the adapter something. @returns the request as the adapter gets it */
  isSent(command: string, args: Fields, answer: Fields = {}): Fields {
    const seq = this.#seq++;
    this.#tracker.onWillReceiveMessage?.({ type: 'request', seq, command, arguments: args });
    const response = { type: 'response', request_seq: seq, command, success: true, body: answer };
    this.#tracker.onDidSendMessage?.(response);
    return args;
  }

  /** Stops in a line of a file, in the only frame. */
  stopsIn(path: string, line: number, variables: readonly Fields[] = []): Fields {
    const source = { name: path, path };
    Object.assign(this.answers, {
      stackTrace: () => ({ stackFrames: [{ id: 7, name: 'f', source, line, column: 3 }] }),
      scopes: () => ({ scopes: [{ name: 'Local', variablesReference: 1, expensive: false }] }),
      variables: ({ variablesReference }: Fields) => ({
        variables: variablesReference === 1 ? variables : [],
      }),
    });
    return this.tells('stopped', { reason: 'breakpoint', threadId: 0, allThreadsStopped: true });
  }
}

/** The namespace `debug`. */
export class FakeDebug {
  #factory: vscode.DebugAdapterTrackerFactory | undefined;
  readonly breakpoints: FakeBreakpoint[] = [];
  readonly #begun = new Emitter<FakeSession>();
  readonly #ended = new Emitter<FakeSession>();
  readonly #changed = new Emitter<unknown>();
  activeSession: FakeSession | undefined;
  /** What was started, and with which options. */
  readonly starts: { configuration: unknown; options: vscode.DebugSessionOptions }[] = [];
  /** What comes of a start: true with a session unless said otherwise. */
  onStart: (configuration: vscode.DebugConfiguration) => Promise<boolean> | boolean = (configuration) => {
    this.onBegin(this.begins(configuration));
    return true;
  };
  /** What the adapter of that session does first. */
  onBegin: (session: FakeSession) => void = () => {};

  readonly api = live(
    { activeDebugSession: () => this.activeSession, breakpoints: () => [...this.breakpoints] },
    {
      registerDebugAdapterTrackerFactory: (_type: string, factory: vscode.DebugAdapterTrackerFactory) => {
        this.#factory = factory;
        return { dispose: () => {} };
      },
      onDidStartDebugSession: this.#begun.event,
      onDidTerminateDebugSession: this.#ended.event,
      onDidChangeBreakpoints: this.#changed.event,
      addBreakpoints: (added: FakeBreakpoint[]) => this.breakpoints.push(...added),
      removeBreakpoints: (gone: FakeBreakpoint[]) => {
        for (const one of gone) this.breakpoints.splice(this.breakpoints.indexOf(one), 1);
      },
      startDebugging: async (
        _folder: unknown,
        configuration: vscode.DebugConfiguration,
        options: vscode.DebugSessionOptions,
      ) => {
        this.starts.push({ configuration, options });
        return await this.onStart({ ...configuration, ...(options.noDebug && { noDebug: true }) });
      },
      stopDebugging: async (session: FakeSession) => this.ends(session),
    },
  );

  get listeners(): number {
    return this.#begun.listeners + this.#ended.listeners + this.#changed.listeners;
  }

  /** A session begins, of whoever it is. */
  begins(configuration: Partial<vscode.DebugConfiguration> = {}, parent?: FakeSession): FakeSession {
    const whole = { name: 'Program', type: 'node', request: 'launch', ...configuration };
    const session = new FakeSession(whole, parent, (of) => this.#trackerOf(of));
    this.last = session;
    this.#begun.fire(session);
    return session;
  }

  /** The one that has begun last. */
  declare last: FakeSession;

  ends(session: FakeSession): void {
    this.#ended.fire(session);
  }

  /** VS Code tells of breakpoints that it has kept. */
  restores(breakpoints: FakeBreakpoint[]): void {
    this.breakpoints.push(...breakpoints);
    this.#changed.fire({ added: breakpoints, removed: [], changed: [] });
  }

  #trackerOf(session: FakeSession): vscode.DebugAdapterTracker {
    return this.#factory?.createDebugAdapterTracker(session as never) as vscode.DebugAdapterTracker;
  }
}
