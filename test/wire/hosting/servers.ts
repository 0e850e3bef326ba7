/** Servers to host, and what tests do with them. */
import { fileURLToPath } from 'node:url';
import { type TestWindow, until } from '../harness.ts';

const program = (name: string): string =>
  fileURLToPath(new URL(`../../unit/hosting/servers/${name}.ts`, import.meta.url));

const definition = (name: string) => ({
  command: process.execPath,
  args: [program(name)],
  env: { NODE_NO_WARNINGS: '1' },
});

export const sdk = definition('sdkServer');
export const faulty = definition('faulty');

/** The user approves every server. */
export async function approveAll({ hosting }: TestWindow): Promise<void> {
  await hosting?.loaded;
  for (const server of hosting?.servers ?? []) await server.approve();
}

/** The same, and they have said what they offer. */
export async function started(window: TestWindow): Promise<void> {
  await approveAll(window);
  for (const server of window.hosting?.servers ?? []) await server.read();
  await until(() => window.hosting?.servers.every(({ catalogue }) => catalogue) === true, 'the catalogues');
}
