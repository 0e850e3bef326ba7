import { serverGrant } from '../../core/serverGrant.ts';
import type { ApprovalKind, Grant } from '../operation.ts';
import type { ApprovalRequest } from './types.ts';

export const kindsOf = ({ kind, also }: ApprovalRequest): ApprovalKind[] => [kind, ...(also ? [also] : [])];

/** The grants that cover a kind in a request: one of them is enough. The first one covers the most. */
export function coveredBy(kind: ApprovalKind, { server }: ApprovalRequest): Grant[] {
  if (kind !== 'server' || !server) return [kind];
  const { key, name } = server;
  return [serverGrant({ key, name }), serverGrant(server)];
}

/** What an answer allows from now on. @param whole all of the server, not only this tool */
export const grantsOf = (request: ApprovalRequest, whole = false): Grant[] =>
  kindsOf(request).map((kind) => coveredBy(kind, request).at(whole ? 0 : -1) ?? kind);
