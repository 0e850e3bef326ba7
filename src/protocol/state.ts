import type { LoggingLevel, ProtocolEra, RequestId, ServerContext } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { AgentApprovals } from '../access/consent/types.ts';
import type { Call } from '../features/call.ts';
import type { Context } from '../features/context.ts';
import type { Features } from '../features/features.ts';
import type { Subscriptions } from './subscriptions.ts';

/** What a session keeps between its requests, and lends to the server that the SDK asks for. */
export interface ServerState {
  era: ProtocolEra;
  ctx: Context;
  features: Features;
  subscriptions: Subscriptions;
  /** The mildest messages that the agent wants to hear, once it has said so. */
  logLevel?: LoggingLevel;
  /** Where tools ask for approval. */
  approvals: AgentApprovals;
  version: string;
  /** Waits until the answer to a request may take so many bytes. @throws CancelledError */
  makeRoom(id: RequestId, bytes: number, signal: AbortSignal): Promise<void>;
  /** Resolves when it is known what the agent may touch. */
  ready(): Promise<void>;
  /** Asks the client for its roots: once the agent has said that it is there, and when they change. */
  askForRoots(): void;
  onRootsListed(): void;
}

/** Runs what answers a request, with what it may use of the agent meanwhile. `of`: the tool, prompt or resource it is about. */
export type During = <T>(context: ServerContext, of: string, run: (call: Call) => Promise<T>) => Promise<T>;

/** Registers a method: its params are checked by the schema, its errors shaped in one place. */
export type Serve = <P extends z.ZodObject>(
  method: string,
  params: P,
  run: (params: z.output<P>, call: Call) => Promise<Record<string, unknown>> | Record<string, unknown>,
  /** Whether the answer does not depend on the client's roots, so that it need not wait for them. */
  options?: { isForAnyRoots?: boolean },
) => void;
