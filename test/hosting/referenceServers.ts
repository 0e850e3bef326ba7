/** The reference servers of MCP's authors; each is installed from npm when it is first needed. */
import { join } from 'node:path';
import { ensurePackage } from '../packages.ts';

const VERSION = '2026.8.31';

export const REFERENCE_SERVERS = [
  'server-everything',
  'server-filesystem',
  'server-memory',
  'server-sequential-thinking',
] as const;
export type ReferenceServer = (typeof REFERENCE_SERVERS)[number];

/** Path of a server's program, to be run with `node`. */
export const referenceServer = async (name: ReferenceServer): Promise<string> =>
  join(await ensurePackage(`@modelcontextprotocol/${name}`, VERSION), 'dist/index.js');
