/** Windows with hosted servers that the user has approved. */
import assert from 'node:assert/strict';
import type { Hosted } from '../../../src/hosting/servers/hosted.ts';
import type { Machine, TestWindow } from '../harness.ts';
import type { RawAgent } from '../rawAgent.ts';

export { definition, program } from '../../unit/hosting/support.ts';

export function hostedIn({ hosting }: TestWindow, name?: string): Hosted {
  const found = hosting?.servers.find((server) => name === undefined || server.name === name);
  assert.ok(found, `no server ${name}`);
  return found;
}

/** The user approves all servers, and allows all calls. */
export async function trustAll({ hosting, consent }: TestWindow): Promise<void> {
  consent.otherwise = () => ({ allow: 'once' });
  await hosting?.loaded;
  for (const server of hosting?.servers ?? []) await server.trust();
}

/** Approves and starts all of them, so their lists are known. */
export async function startAll(window: TestWindow): Promise<void> {
  await trustAll(window);
  await Promise.all((window.hosting?.servers ?? []).map((server) => server.processes.read()));
}

/** A window whose servers run, and an agent in it. */
export async function openWith(
  machine: Pick<Machine, 'open'>,
  servers: Record<string, object>,
): Promise<{ window: TestWindow; agent: RawAgent }> {
  const window = await machine.open({ servers });
  await startAll(window);
  return { window, agent: await window.greeted() };
}

/** The names of hosted tools that an agent is given. */
export const hostedNamesFor = async (agent: RawAgent): Promise<string[]> =>
  (await agent.request('tools/list')).result.tools
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => name.includes('__'));
