import type { ApprovalKind, Grant } from '../operation.ts';
import type { ApprovalRequest, HostedCall } from './types.ts';

/** @param tool by the server's own name; left out for all of the server */
const serverGrant = ({ key, name }: HostedCall, tool?: string): Grant =>
  `server:${JSON.stringify([key, name, ...(tool === undefined ? [] : [tool])])}`;

/** The server and the tool of a grant; undefined if it is a kind. */
export function serverOf(
  grant: Grant,
): (Omit<HostedCall, 'tool'> & Partial<Pick<HostedCall, 'tool'>>) | undefined {
  if (!grant.startsWith('server:')) return undefined;
  const [key = '', name = '', tool] = JSON.parse(grant.slice('server:'.length)) as string[];
  return { key, name, ...(tool !== undefined && { tool }) };
}

export const kindsOf = ({ kind, also }: ApprovalRequest): ApprovalKind[] => [kind, ...(also ? [also] : [])];

/** The grants that cover a kind in a request: one of them is enough. The first one covers the most. */
export const coveredBy = (kind: ApprovalKind, { server }: ApprovalRequest): Grant[] =>
  kind === 'server' && server ? [serverGrant(server), serverGrant(server, server.tool)] : [kind];

/** What an answer allows from now on. @param whole all of the server, not only this tool */
export const grantsOf = (request: ApprovalRequest, whole = false): Grant[] =>
  kindsOf(request).map((kind) => coveredBy(kind, request).at(whole ? 0 : -1) ?? kind);
