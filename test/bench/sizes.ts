/** What is not a time: bytes. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../host/paths.ts';
import type { Client } from './client.ts';
import type { BySide } from './samples.ts';

/** What `npm run package` makes. */
export const vsix: string = join(projectRoot, 'dist/workspace-mcp.vsix');

const KB = 1024;

export const packageSize = (): number => statSync(vsix).size / KB;

/** KB of the list of tools, which a model reads in every session, and how many there are. */
export async function toolsList({ ours, peer }: Record<'ours' | 'peer', Client>): Promise<BySide> {
  const size = async (client: Client) =>
    JSON.stringify(JSON.parse((await client.request('tools/list', {})).toString()).result.tools).length / KB;
  return { ours: [await size(ours)], peer: [await size(peer)] };
}
