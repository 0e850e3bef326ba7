/** What adapters make of breakpoints is in their messages: VS Code tells it of running sessions only. */
import type * as vscode from 'vscode';
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';

/** A breakpoint as VS Code has sent it to an adapter, and what that has made of it. */
export interface Binding {
  /** 1-based; undefined of a function. */
  readonly line: unknown;
  /** The name of a function breakpoint. */
  readonly name: unknown;
  id?: unknown;
  verified: boolean;
  /** Whether the adapter has answered about it. */
  isAnswered: boolean;
  /** Verified once, perhaps no longer. */
  wasBound: boolean;
  /** 1-based; the adapter may have moved it. */
  boundLine?: number;
  message?: string;
}

/** All breakpoints of a source, or all functions: those that are off are missing. */
interface Sent {
  session: vscode.DebugSession;
  /** The request's number. */
  seq: unknown;
  /** Undefined of functions. */
  path: unknown;
  list: readonly Binding[];
  /** Bound once, and taken away since: VS Code changes a breakpoint by that, and by adding another one. */
  gone: readonly Binding[];
}

/** The breakpoints of a debuggee, in all of its sessions; kept after its end. */
export class Bindings {
  #sent: readonly Sent[] = [];

  isSent(session: vscode.DebugSession, { seq, command, arguments: args }: Fields): void {
    if (command !== 'setBreakpoints' && command !== 'setFunctionBreakpoints') return;
    const { source, breakpoints } = fieldsOf(args);
    const { path } = fieldsOf(source);
    const isSame = (one: Sent) => one.session === session && one.path === path;
    const last = this.#sent.find(isSame);
    const before = [...(last?.list ?? []), ...(last?.gone ?? [])];
    const isAt = (one: Binding, { line, name }: Pick<Binding, 'line' | 'name'>) =>
      one.line === line && one.name === name;
    const list = itemsOf(breakpoints).map((one): Binding => {
      const { line, name } = fieldsOf(one);
      const known = before.find((other) => isAt(other, { line, name }));
      return { line, name, verified: false, isAnswered: false, wasBound: known?.wasBound ?? false };
    });
    const gone = before.filter((one) => one.wasBound && !list.some((now) => isAt(now, one)));
    this.#sent = [...this.#sent.filter((one) => !isSame(one)), { session, seq, path, list, gone }];
  }

  isAnswered(session: vscode.DebugSession, { request_seq, message, body }: Fields): void {
    const sent = this.#sent.find((one) => one.session === session && one.seq === request_seq);
    const told = itemsOf(fieldsOf(body).breakpoints);
    for (const [at, one] of (sent?.list ?? []).entries()) update(one, { message, ...fieldsOf(told[at]) });
  }

  changes(session: vscode.DebugSession, told: Fields): void {
    for (const one of this.#sent.filter((sent) => sent.session === session).flatMap(({ list }) => list))
      if (one.id !== undefined && one.id === told.id) update(one, told);
  }

  /** All that VS Code has sent until now. */
  get sent(): readonly object[] {
    return this.#sent;
  }

  /**
   * One for each session that has it. Undefined if VS Code has told no session about its source.
   *
   * @param before what was sent earlier, and does not count: another breakpoint may have been in its line
   */
  of(breakpoint: vscode.Breakpoint, before: readonly object[] = []): readonly Binding[] | undefined {
    const { location, functionName } = breakpoint as Partial<
      vscode.SourceBreakpoint & vscode.FunctionBreakpoint
    >;
    const path = location?.uri.fsPath;
    const line = location && location.range.start.line + 1;
    const told = this.#sent.filter((one) => one.path === path && !before.includes(one));
    const isMeant = (one: Binding) =>
      location ? one.line === line || one.boundLine === line : one.name === functionName;
    return told.length === 0 ? undefined : told.flatMap(({ list }) => list.filter(isMeant));
  }
}

function update(one: Binding, { id, verified, line, message }: Fields): void {
  one.id = id ?? one.id;
  one.isAnswered = true;
  one.verified = verified === true;
  one.wasBound ||= one.verified;
  if (typeof line === 'number') one.boundLine = line;
  if (typeof message === 'string') one.message = message;
  else delete one.message;
}
