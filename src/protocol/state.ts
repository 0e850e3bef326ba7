import type { LoggingLevel, ProtocolEra, RequestId, ServerContext } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { AgentApprovals } from '../access/consent/types.ts';
import type { Call } from '../features/call.ts';
import type { Context } from '../features/context.ts';
import type { Features } from '../features/features.ts';
import type { Subscriptions } from './subscriptions.ts';

/** State that a session keeps between requests, and passes to its SDK servers. */
export interface ServerState {
  era: ProtocolEra;
  ctx: Context;
  features: Features;
  subscriptions: Subscriptions;
  /** The least severe log messages that the agent wants, if it has set a level. */
  logLevel?: LoggingLevel;
  /** Asks for approval. */
  approvals: AgentApprovals;
  version: string;
  /** Waits until the answer to a request may take that many bytes. @throws CancelledError */
  makeRoom(id: RequestId, bytes: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the client's roots are known, or are no longer waited for. */
  ready(): Promise<void>;
  /** Asks the client for its roots, when it is initialized and when they change. */
  askForRoots(): void;
  onRootsListed(): void;
}

/** Runs the handler of a request with its `Call`. `of`: the requested tool, prompt or resource. */
export type During = <T>(context: ServerContext, of: string, run: (call: Call) => Promise<T>) => Promise<T>;

/** Registers a method: the schema checks its params, and its errors become JSON-RPC errors. */
export type Serve = <P extends z.ZodObject>(
  method: string,
  params: P,
  run: (params: z.output<P>, call: Call) => Promise<Record<string, unknown>> | Record<string, unknown>,
  /** `isForAnyRoots`: the answer does not depend on the client's roots, so it does not wait for them. */
  options?: { isForAnyRoots?: boolean },
) => void;
