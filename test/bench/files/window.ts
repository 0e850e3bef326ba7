/** A headless VS Code with the packaged extension on a large workspace, and the peer on the same files. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRecords } from '../../../src/ipc/windowRecord.ts';
import { until } from '../../host/agent.ts';
import { startHost } from '../../host/headless/host.ts';
import { projectNode } from '../../host/paths.ts';
import { Client } from '../client.ts';
import { ensurePeer } from '../peer.ts';
import { vsix } from '../sizes.ts';

export interface LargeWindow {
  ours: Client;
  peer: Client;
  close(): Promise<void>;
}

export async function openLargeWindow(scratch: string, folder: string): Promise<LargeWindow> {
  const peerProgram = await ensurePeer();
  const at = (name: string) => join(scratch, name);
  for (const name of ['home', 'run']) mkdirSync(at(name), { mode: 0o700 });
  const env = { ...process.env, WORKSPACE_MCP_HOME: at('home'), XDG_RUNTIME_DIR: at('run') };
  const host = await startHost({ target: folder, installExtension: vsix, env, report: console.error });
  await until('the window', () => readRecords(at('home'))[0]);
  const node = { command: projectNode(), cwd: folder, env };
  const ours = new Client({ ...node, args: [join(at('home'), 'shim.js')] });
  const peer = new Client({ ...node, args: [peerProgram, folder] });
  for (const client of [ours, peer]) await client.initialize();
  return {
    ours,
    peer,
    close: async () => {
      for (const client of [ours, peer]) await client.close();
      await host.close();
    },
  };
}
