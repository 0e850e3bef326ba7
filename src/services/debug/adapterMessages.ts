/** What the messages of an adapter say of its debuggee: threads, stops, output. */
import type * as vscode from 'vscode';
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';
import type { Debuggee } from './debuggee.ts';

/** Requests after which threads run: adapters need not say so. */
export const RESUMING = new Set([
  'continue',
  'next',
  'stepIn',
  'stepOut',
  'stepBack',
  'reverseContinue',
  'restartFrame',
]);

export function initialized(
  debuggee: Debuggee,
  { exceptionBreakpointFilters, supportsFunctionBreakpoints }: Fields,
) {
  debuggee.filters = itemsOf(exceptionBreakpointFilters).map((one) => String(fieldsOf(one).filter));
  debuggee.hasFunctions ||= supportsFunctionBreakpoints === true;
}

/** VS Code asks for all threads at each stop; not all adapters tell when one begins. */
export function namesThreads(debuggee: Debuggee, session: vscode.DebugSession, { threads }: Fields): void {
  const known = debuggee.threads.filter((one) => one.session === session && !one.isGuess).map(({ id }) => id);
  const first = itemsOf(threads)
    .map((one) => fieldsOf(one).id)
    .find((id) => !known.includes(id as number));
  const guess = debuggee.threads.find((one) => one.session === session && one.isGuess);
  if (guess && typeof first === 'number') Object.assign(guess, { id: first, isGuess: false });
  const all = debuggee.stopped.find((one) => one.session === session && one.stop?.isOfAll);
  for (const { id, name } of itemsOf(threads).map(fieldsOf)) {
    if (typeof id !== 'number') continue;
    const thread = debuggee.thread(session, id);
    thread.name = String(name);
    if (all) thread.stop ??= { reason: `with thread ${all.number}` };
  }
}

export function resumes(
  debuggee: Debuggee,
  session: vscode.DebugSession,
  { threadId, singleThread }: Fields,
): void {
  for (const thread of debuggee.threads)
    if (thread.session === session && (!singleThread || thread.id === threadId)) thread.stop = undefined;
  debuggee.changed();
}

export function stops(debuggee: Debuggee, session: vscode.DebugSession, body: Fields): void {
  const { threadId, reason, description, text, allThreadsStopped } = body;
  const ids = debuggee.threads.filter((one) => one.session === session).map(({ id }) => id);
  const id = typeof threadId === 'number' ? threadId : (ids[0] ?? 0);
  const words = [reason === 'exception' && description, text].filter(
    (one) => typeof one === 'string' && one !== '',
  );
  const stop = {
    reason: String(reason),
    ...(words.length > 0 && { text: [...new Set(words)].join(': ') }),
    ...(allThreadsStopped === true && { isOfAll: true }),
  };
  const thread = debuggee.thread(session, id);
  if (typeof threadId !== 'number' && ids.length === 0) thread.isGuess = true;
  if (allThreadsStopped === true)
    for (const other of ids)
      debuggee.thread(session, other).stop ??= { reason: `with thread ${thread.number}` };
  debuggee.stopsAt(thread, stop);
}

export function happens(debuggee: Debuggee, session: vscode.DebugSession, { event, body }: Fields): void {
  const { threadId, reason, category, output, exitCode, allThreadsContinued } = fieldsOf(body);
  if (event === 'continued')
    resumes(debuggee, session, { threadId, singleThread: allThreadsContinued === false });
  else if (event === 'thread' && typeof threadId === 'number') {
    if (reason === 'exited') debuggee.loses(session, threadId);
    else debuggee.thread(session, threadId);
  } else if (event === 'output' && category !== 'telemetry' && typeof output === 'string')
    debuggee.output.push(output);
  else if (event === 'exited' && typeof exitCode === 'number') debuggee.exitCode = exitCode;
}
