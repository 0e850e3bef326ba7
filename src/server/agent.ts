import {
  CLIENT_INFO_META_KEY,
  type Implementation,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/server';
import type { Grant } from '../access/operation.ts';
import { cutText } from '../core/text/cutText.ts';
import { allVisible } from '../core/text/escapeInvisible.ts';
import type { Activity, ActivityCall } from './activity.ts';

/** Name and version of an agent, as declared by its client. */
export interface AgentInfo {
  name: string;
  version?: string;
}

/** A connected agent, as the user sees and controls it. */
export interface Agent extends AgentInfo {
  /** Unique in the window. */
  readonly id: number;
  /** The id, if another agent has the same name. */
  readonly number: number | undefined;
  /** Working directory of the process. */
  readonly cwd?: string;
  readonly connectedAt: Date;
  /** Oldest first; {@link callCount} also counts the dropped ones. */
  readonly calls: readonly ActivityCall[];
  readonly callCount: number;
  /** What the user has approved for the session. Deleting an item revokes it. */
  readonly allowed: Set<Grant>;
  /** What the user has denied for the session. Deleting an item revokes it. */
  readonly denied: Set<Grant>;
  /** Answers a running call and aborts its work. */
  cancel(call: ActivityCall): void;
  /** Cancels all running calls, closes the connection, and revokes the session's approvals. */
  disconnect(): void;
}

/** What an agent needs from its session. */
export interface AgentParts {
  id: number;
  cwd: string | undefined;
  activity: Activity;
  granted: Set<Grant>;
  denied: Set<Grant>;
  hasNamesake(agent: Agent): boolean;
  cancel(request: RequestId): void;
  close(): void;
}

export function agentOf(info: AgentInfo, parts: AgentParts): Agent {
  const { id, cwd, activity, granted, denied, ...session } = parts;
  const cancel = ({ requestId, state }: ActivityCall) => {
    if (state === 'running') session.cancel(requestId);
  };
  return {
    ...info,
    id,
    get number() {
      return session.hasNamesake(this) ? id : undefined;
    },
    ...(cwd && { cwd }),
    connectedAt: new Date(),
    calls: activity.calls,
    get callCount() {
      return activity.count;
    },
    allowed: granted,
    denied,
    cancel,
    disconnect() {
      granted.clear();
      for (const call of [...activity.calls]) cancel(call);
      session.close();
    },
  };
}

/**
 * The agent's identity, from `initialize`, or from the `_meta` of each request since 2026-07-28. Undefined for a client's
 * probe of the supported versions.
 */
export function introduced({ method, params }: JSONRPCRequest, otherwise = 'agent'): AgentInfo | undefined {
  if (method === 'server/discover') return undefined;
  const info = (method === 'initialize' ? params?.clientInfo : params?._meta?.[CLIENT_INFO_META_KEY]) as
    | Partial<Record<keyof Implementation, unknown>>
    | undefined;
  const version = shown(info?.version, 50);
  return {
    name: shown(info?.title, 100) || shown(info?.name, 100) || otherwise,
    ...(version && { version }),
  };
}

/** A text from the agent, safe to show and log: short, on one line, invisible characters escaped. */
function shown(value: unknown, length: number): string {
  const text = typeof value === 'string' ? value.trim() : '';
  return allVisible(cutText(text, length));
}
