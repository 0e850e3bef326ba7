import type {
  ClientCapabilities,
  CompleteResult,
  InputRequests,
  InputRequiredResult,
  LoggingLevel,
} from '@modelcontextprotocol/server';

/**
 * What a tool or a prompt may ask for before it answers: a form that the person fills in, an answer of the agent's model,
 * its roots. It returns what `ask` makes, and is run again from its start when there are answers.
 */
export interface Input {
  /** What this agent can be asked for; to ask for anything else ends the call with an error. */
  readonly capabilities: ClientCapabilities;
  /** The answers to what was asked in the round before, by its keys: as the agent sent them, and nothing of it checked. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** What `ask` was handed in the round before. The agent can read it, but not change it. */
  readonly state: unknown;
  ask(requests: InputRequests, state?: unknown): Promise<InputRequiredResult>;
}

/** One call: whether it still matters, how far it is, and what it may ask for. */
export interface Call {
  signal: AbortSignal;
  input: Input;
  /** Waits until an answer of so many bytes may be made: the agent may not read what it has got. @throws CancelledError */
  makeRoom?(bytes: number): Promise<void>;
  /** Sent as `notifications/progress` where the agent asked for it; must rise. */
  progress(progress: number, total?: number, message?: string): void;
  /** Sent as `notifications/message` where the agent wants that level; nothing in it that it may not see. */
  log(level: LoggingLevel, message: string): void;
}

export interface Argument {
  name: string;
  /** What has been typed so far. */
  value: string;
  /** The other arguments that are already known. */
  others: Record<string, string>;
}

export type Completion = CompleteResult['completion'];

/** At most 100 values go out, with how many there are (MCP, completion/complete). */
export const completion = (values: readonly string[]): Completion => ({
  values: values.slice(0, 100),
  total: values.length,
  hasMore: values.length > 100,
});
