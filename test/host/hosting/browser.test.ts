/** Hosted MCP servers as the user has them. */
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folder, openWindow } from '../caseWindow.ts';
import './servers.test.ts';
import './answers.test.ts';
import { definition, userDataDir } from './definitions.ts';

const extensionsDir = join(dirname(folder), 'installed');
cpSync(join(import.meta.dirname, 'model'), join(extensionsDir, 'test.fake-model-0.0.1'), { recursive: true });

openWindow({
  userDataDir,
  extensionsDir,
  machineSettings: { 'workspaceMcp.servers': { sdk: definition() } },
});
