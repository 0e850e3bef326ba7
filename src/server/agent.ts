import { CLIENT_INFO_META_KEY, type Implementation, type JSONRPCRequest } from '@modelcontextprotocol/server';
import type { Grant } from '../access/accessSettings.ts';
import { cutText } from '../core/text/cutText.ts';
import { allVisible } from '../core/text/escapeInvisible.ts';
import type { ActivityCall } from './activity.ts';

/** Name and version of an agent, as declared by its client. */
export interface AgentInfo {
  name: string;
  version?: string;
}

/** A connected agent, as the user sees and controls it. */
export interface Agent extends AgentInfo {
  /** Unique in the window. */
  readonly id: number;
  /** The id, while another agent has the same name. */
  number?: number | undefined;
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
