/** The hosted servers of a window with a fake VS Code; the servers are real processes. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Hosting, type UsableServer } from '../../../src/hosting/index.ts';
import { memento, secretStorage } from '../../fakes/stores.ts';
import { FakeVscode } from '../../fakes/vscode.ts';
import { silent } from '../log.ts';
import { folderWith, cleanUp as removeFolders, write } from '../workspace/openWindow.ts';

export { definition } from './support.ts';

const opened: Hosting[] = [];

export type OpenedHosting = Awaited<ReturnType<typeof openHosting>>;

/**
 * @param servers of the user's setting
 * @param visit opens a page in the user's browser
 * @param kept global state of an earlier window
 * @param workspaceStore state of the workspace, from an earlier window on it
 */
export async function openHosting(
  servers: object = {},
  visit: (url: string) => unknown = () => false,
  { kept = new Map<string, unknown>(), workspaceStore = new Map<string, unknown>(), remoteName = '' } = {},
) {
  const root = folderWith();
  const folder = join(root, 'ws');
  mkdirSync(folder);
  const fake = FakeVscode.create({ folders: [folder], user: { 'workspaceMcp.servers': servers } });
  if (remoteName) Object.assign(fake.api.env, { remoteName });
  const [store, secrets] = [kept, new Map<string, string>()];
  const warnings: string[] = [];
  const hosting = new Hosting({
    vscode: fake.api,
    store: memento(store),
    workspaceStore: memento(workspaceStore),
    secrets: secretStorage(secrets),
    openExternal: async (url) => visit(url),
    externalUrl: async (url) => url,
    globalStorage: join(root, 'User', 'globalStorage', 'x'),
    processes: join(root, 'processes'),
    shim: '/shim.js',
    shell: 'posix',
    version: '0.1.0',
    questions: () => Promise.reject(new Error('Nobody answers.')),
    log: { ...silent, warn: (line) => warnings.push(line) },
  });
  opened.push(hosting);
  await hosting.loaded;
  return {
    hosting,
    fake,
    folder,
    store,
    secrets,
    warnings,
    /** Writes a file of the folder, and reads the definitions again. */
    async writes(file: string, content: object) {
      write(join(folder, file), JSON.stringify(content));
      await hosting.load();
    },
    /** Trusts servers that are found in files, and reads the definitions again. */
    async hostsFound() {
      for (const found of hosting.found) await hosting.candidate(found as UsableServer).trust();
      await hosting.load();
    },
    /** Sets the user's setting, and reads the definitions again. */
    async sets(servers: object) {
      fake.person.sets('workspaceMcp.servers', servers);
      await hosting.load();
    },
  };
}

/** Ends what the test before has opened. */
export async function cleanUp(): Promise<void> {
  await Promise.all(opened.splice(0).map((hosting) => hosting.dispose()));
  removeFolders();
}
