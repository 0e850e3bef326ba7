const START = 'server:';

/** What the user allows or denies of a hosted server: its key, its name, and one tool or all of them. */
export interface AllowedOfServer {
  key: string;
  name: string;
  /** By the server's own name. */
  tool?: string;
}

/** As it is kept. */
export const serverGrant = ({ key, name, tool }: AllowedOfServer): `server:${string}` =>
  `${START}${JSON.stringify([key, name, ...(tool === undefined ? [] : [tool])])}`;

/** Undefined if the grant is one of a kind. */
export function serverOf(grant: string): AllowedOfServer | undefined {
  if (!grant.startsWith(START)) return undefined;
  const [key = '', name = '', tool] = JSON.parse(grant.slice(START.length)) as string[];
  return { key, name, ...(tool !== undefined && { tool }) };
}
