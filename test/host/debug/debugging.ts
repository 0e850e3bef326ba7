/** What the tests of the debugger share. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../agent.ts';
import { agentOfSuite, at, root, settingsUntil } from '../inside.ts';
import { processesMentioning, type RunningProcess } from '../processes.ts';

/** An agent that need not ask, and leaves nothing between tests. */
export function debuggingAgent(): ReturnType<typeof agentOfSuite> & {
  /** As `call`, for a call that must fail. Resolves with what it is told. */
  refused(name: string, args?: Record<string, unknown>): Promise<string>;
  /** Starts a program that does not end. Resolves with the number of its session, once it runs. */
  startEndless(path: string): Promise<number>;
} {
  const agent = agentOfSuite();
  const set = settingsUntil(after);
  before(() => set('workspaceMcp.approvals', { debug: 'allow', task: 'allow', test: 'allow' }));
  afterEach(async () => {
    await endSessions();
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await agent.call('debug_breakpoints', { exceptions: [] });
  });
  const refused = async (name: string, args?: Record<string, unknown>): Promise<string> => {
    const { message } = await agent.call(name, args).then(
      (told) => assert.fail(told),
      (error: Error) => error,
    );
    return message;
  };
  const startEndless = async (path: string) => {
    await agent.call('debug_start', { path, wait: 1 });
    const session = new RegExp(`Session (\\d+) \\(Agent: ${path}, [^)]*\\) runs`);
    return until(`a session of ${path}`, async () => {
      const [, id] = session.exec(await agent.call('debug_state')) ?? [];
      return id === undefined ? undefined : Number(id);
    });
  };
  return {
    call: agent.call,
    refused,
    startEndless,
    get client() {
      return agent.client;
    },
    cancelCalls: agent.cancelCalls,
    notified: agent.notified,
    forgetNotifications: agent.forgetNotifications,
  };
}

/** VS Code does not always tell that the active one has ended. */
const sessions = new Set<vscode.DebugSession>();
vscode.debug.onDidStartDebugSession((session) => sessions.add(session));
vscode.debug.onDidTerminateDebugSession((session) => sessions.delete(session));

export const noSession = (): Promise<true> =>
  until('no debug session', () => sessions.size === 0 || undefined);

/** Ends those of the user, too. */
const endSessions = (): Promise<true> =>
  until('the end of all debug sessions', async () => {
    await vscode.debug.stopDebugging();
    return sessions.size === 0 || undefined;
  });

/** Processes of a program of the workspace, which may be started by a relative path. */
export const processesOf = (path: string): RunningProcess[] =>
  processesMentioning(root).filter(({ command }) => command.endsWith(`/${path}`));

export const noProcessOf = (path: string): Promise<true> =>
  until(`no process of ${path}`, () => processesOf(path).length === 0 || undefined);

/** The number of the session that an answer is about. */
export const sessionIn = (told: string): number =>
  Number(/^Session (\d+) /.exec(told)?.[1] ?? assert.fail(told));

/** @param line 1-based */
export function breakpointOfUser(path: string, line: number): vscode.SourceBreakpoint {
  const place = new vscode.Location(vscode.Uri.file(at(path)), new vscode.Position(line - 1, 0));
  const breakpoint = new vscode.SourceBreakpoint(place);
  vscode.debug.addBreakpoints([breakpoint]);
  return breakpoint;
}
