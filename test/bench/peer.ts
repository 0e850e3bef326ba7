/** @modelcontextprotocol/server-filesystem, the file server most agents know; installed when it is first measured. */
import { join } from 'node:path';
import { ensurePackage } from '../packages.ts';

export const PEER_VERSION = '2026.8.31';

/** @returns path of its program, to be run with `node` */
export const ensurePeer = async (): Promise<string> =>
  join(await ensurePackage('@modelcontextprotocol/server-filesystem', PEER_VERSION), 'dist/index.js');
