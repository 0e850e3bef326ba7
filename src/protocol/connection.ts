import type { LoggingLevel, ProtocolEra, Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Approvals } from '../access/consent/approvals.ts';
import type { Grantee } from '../access/consent/types.ts';
import type { Call, Context } from '../features/context.ts';
import type { Features } from '../features/features.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { Tasks } from './tasks/tasks.ts';
import type { Outbox } from './wire/outbox.ts';

/** What the methods of one server have in common. */
export interface ServedConnection {
  server: Server;
  era: ProtocolEra;
  ctx: Context;
  features: Features;
  subscriptions: Subscriptions;
  /** The least severe log messages that the agent wants, if it has set a level. */
  logLevel?: LoggingLevel;
  approvals: Approvals;
  /** The agent, for whom it asks. */
  grantee: Grantee;
  version: string;
  /** The window's. */
  tasks: Tasks;
  outbox: Pick<Outbox, 'makeRoom'>;
  roots: {
    /** Resolves when the client's roots are known, or are no longer waited for. */
    known(): Promise<void>;
    /** Asks the client for its roots, when it is initialized and when they change. */
    ask(server: Server): void;
  };
  onRootsListed(): void;
}

/** Registers a method: the schema checks its params, and its errors become JSON-RPC errors. */
export type Serve = <P extends z.ZodObject>(
  method: string,
  params: P,
  run: (params: z.output<P>, call: Call) => Promise<Record<string, unknown>> | Record<string, unknown>,
  /** `isForAnyRoots`: the answer does not depend on the client's roots, so it does not wait for them. */
  options?: { isForAnyRoots?: boolean },
) => void;

export const cursorParams = z.object({ cursor: z.string().optional() });
