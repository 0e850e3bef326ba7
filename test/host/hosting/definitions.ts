/** Servers that the tests of hosting define. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dialog, folder } from '../caseWindow.ts';
import { projectRoot } from '../paths.ts';

export const serverProgram = (name: string) => join(projectRoot, 'test/unit/hosting/programs', `${name}.ts`);

export const program = serverProgram('sdkServer');
export const definition = (...more: string[]) => ({ command: process.execPath, args: [program, ...more] });

export const userDataDir = join(dirname(folder), 'browser-user');
export const settings = () => readFileSync(join(userDataDir, 'Machine/settings.json'), 'utf8');

/** What somebody commits to the repository. */
export const plant = (mcpServers: object): void =>
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers }));

export const start = () => dialog().getByRole('button', { name: 'Start Server' }).click();
