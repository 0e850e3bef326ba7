/** An agent as a person has one: the SDK's own client, which starts the real shim. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { readRecords, type WindowRecord } from '../../src/ipc/windowRecord.ts';
import { WAIT_VARIABLE } from '../../src/shim/commandLine.ts';
import { projectRoot } from './paths.ts';
import { CALL_PATIENCE, PATIENCE } from './patience.ts';

export interface HostAgent {
  client: Client;
  /** Text of a tool's result, all blocks one after another. @throws Error with that text where the tool failed */
  call(name: string, args?: Record<string, unknown>): Promise<string>;
  /** Cancels the calls that have no answer yet: the question of a test that failed would stand before those of the next. */
  cancelCalls(): void;
  /** Resolves with the next notification of that method, one that has already come included. */
  notified(method: string): Promise<void>;
  /** Nobody waits any more for the notifications that have come. */
  forgetNotifications(): void;
  /** Resolves when the shim has ended. */
  closed: Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface AgentOptions extends ClientOptions {
  /** What it calls itself. */
  name?: string;
  /** The shim that it is configured with; the one that was just built when nothing is said. */
  shim?: string;
  /** Its calls wait for a reloaded window as long as the test does: a busy machine takes more than the shim's 30 s. */
  isPatient?: boolean;
}

/** @param cwd where the agent works: what its window is chosen by */
export async function connectAgent(cwd: string, options: AgentOptions = {}): Promise<HostAgent> {
  const {
    name = 'host-test',
    shim = join(projectRoot, 'dist/shim.js'),
    isPatient,
    ...clientOptions
  } = options;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [shim],
    cwd,
    env: {
      ...getDefaultEnvironment(),
      WORKSPACE_MCP_HOME: process.env.WORKSPACE_MCP_HOME ?? '',
      ...(isPatient && { [WAIT_VARIABLE]: `${PATIENCE / 1000}` }),
      ELECTRON_RUN_AS_NODE: '1', // in a desktop's extension host, the executable is Electron
    },
    stderr: 'pipe',
  });
  const client = new Client({ name, version: '1.0.0' }, clientOptions);
  const seen: string[] = [];
  const calls = new Set<AbortController>();
  client.fallbackNotificationHandler = async ({ method }) => void seen.push(method);
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  await client.connect(transport, { timeout: PATIENCE });
  return {
    client,
    closed,
    call: async (name, args = {}) => {
      const call = new AbortController();
      calls.add(call);
      return callText(client, name, args, call.signal).finally(() => calls.delete(call));
    },
    cancelCalls: () => {
      for (const call of calls) call.abort();
    },
    notified: async (method) => void (await until(`the notification ${method}`, () => take(seen, method))),
    forgetNotifications: () => void seen.splice(0),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function callText(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<string> {
  const options = { timeout: CALL_PATIENCE, signal };
  const { content, isError } = await client.callTool({ name, arguments: args }, options).catch((error) => {
    throw new Error(`${name} ${JSON.stringify(args)}: ${(error as Error).message}`, { cause: error });
  });
  const text = content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
  if (isError) throw new Error(text);
  return text;
}

function take(seen: string[], method: string): true | undefined {
  const index = seen.indexOf(method);
  if (index < 0) return undefined;
  seen.splice(index, 1);
  return true;
}

/** The record of a window that listens. */
export const windowRecord = (): Promise<WindowRecord> =>
  until('the record of a window', () => readRecords(process.env.WORKSPACE_MCP_HOME ?? '')[0]);

/**
 * The record of a window that is none of the old ones. Theirs may stay: a page can be gone before it has told its extension
 * host to end.
 */
export const nextWindow = (...old: WindowRecord[]): Promise<WindowRecord> =>
  until('the next window', () =>
    readRecords(process.env.WORKSPACE_MCP_HOME ?? '').find(
      ({ token }) => !old.some((one) => one.token === token),
    ),
  );

export const noWindowRecord = (): Promise<true> =>
  until(
    'no record of a window',
    () => readRecords(process.env.WORKSPACE_MCP_HOME ?? '').length === 0 || undefined,
  );

/** Polls until there is something. @param what for the error */
export async function until<T>(
  what: string,
  look: () => T | undefined | PromiseLike<T | undefined>,
): Promise<NonNullable<T>> {
  for (const deadline = Date.now() + PATIENCE; Date.now() < deadline; await delay(50)) {
    const found = await look();
    if (found !== undefined && found !== null) return found;
  }
  throw new Error(`Waited ${PATIENCE / 1000} s for ${what}.`);
}
