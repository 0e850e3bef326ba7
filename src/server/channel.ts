import type { Outlet } from '../protocol/wire/outbox.ts';
import type { Pipeline } from '../protocol/wire/pipeline.ts';

/** One connection with an agent, whatever carries its messages. */
export interface Channel {
  readonly outlet: Outlet;
  readonly isClosed: boolean;
  /** Passes what the agent sends to the pipeline, until either ends. Called once. */
  readInto(pipeline: Pipeline): void;
  /** Calls the listener once, when nothing is sent or taken any more. */
  onClose(listener: () => void): void;
  /** Tells the agent that the user has disconnected it, and closes. */
  disconnect(): void;
}
