import {
  CLIENT_INFO_META_KEY,
  type Implementation,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/server';
import type { ApprovalKind } from '../access/operation.ts';
import { cutText } from '../core/text/cutText.ts';
import { allVisible } from '../core/text/escapeInvisible.ts';
import type { Activity, ActivityCall } from './activity.ts';

/** What an agent is, as its client says. */
export interface AgentInfo {
  name: string;
  version?: string;
}

/** A connected agent, as the person sees it and has it in hand. */
export interface Agent extends AgentInfo {
  /** Unique in the window. */
  readonly id: number;
  /** The same, while another agent has its name. */
  readonly number: number | undefined;
  /** Working directory of the process. */
  readonly cwd?: string;
  readonly connectedAt: Date;
  /** Oldest first; {@link callCount} counts also those that are no longer among them. */
  readonly calls: readonly ActivityCall[];
  readonly callCount: number;
  /** What the user has allowed for its session; may be taken back here. */
  readonly allowed: Set<ApprovalKind>;
  /** What the user has denied for its session; may be taken back here. */
  readonly denied: Set<ApprovalKind>;
  /** Answers a running call in its stead, and aborts what runs for it. */
  cancel(call: ActivityCall): void;
  /** Answers all that runs, ends the connection, and takes back what was allowed for the session. */
  disconnect(): void;
}

/** What a session lends to its agent. */
export interface AgentParts {
  id: number;
  cwd: string | undefined;
  activity: Activity;
  granted: Set<ApprovalKind>;
  denied: Set<ApprovalKind>;
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
 * Who the agent is: told by `initialize`, or by what every request carries since 2026-07-28. Undefined for a client's
 * probe that only looks which versions are spoken.
 */
export function introduced({ method, params }: JSONRPCRequest): AgentInfo | undefined {
  if (method === 'server/discover') return undefined;
  const info = (method === 'initialize' ? params?.clientInfo : params?._meta?.[CLIENT_INFO_META_KEY]) as
    | Partial<Record<keyof Implementation, unknown>>
    | undefined;
  const version = shown(info?.version, 50);
  return {
    name: shown(info?.title, 100) || shown(info?.name, 100) || 'agent',
    ...(version && { version }),
  };
}

/** What an agent says of itself, fit to be shown and logged: short, in one line, and with nothing hidden in it. */
function shown(value: unknown, length: number): string {
  const text = typeof value === 'string' ? value.trim() : '';
  return allVisible(cutText(text, length));
}
