/** The extensions that start the servers, one each as people have them: VS Code knows a language by its extension. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ensureServer, type Server } from './servers.ts';

export interface Manifest {
  displayName: string;
  server: {
    command: string;
    args: string[];
    env: Record<string, string>;
    languages: readonly string[];
    initializationOptions: object | undefined;
  };
}

/** Writes them into a folder of extensions. */
export async function writeExtensions(directory: string, servers: readonly Server[]): Promise<void> {
  for (const server of servers.filter(({ languages }) => languages.length > 0)) {
    const folder = join(directory, server.language);
    mkdirSync(join(folder, 'storage'), { recursive: true });
    await build({
      entryPoints: [join(import.meta.dirname, 'client.ts')],
      outfile: join(folder, 'client.cjs'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      external: ['vscode'],
      logLevel: 'warning',
    });
    writeFileSync(join(folder, 'package.json'), JSON.stringify(await manifest(server, folder), null, 2));
  }
}

async function manifest(
  { language, name, languages, ...rest }: Server,
  folder: string,
): Promise<Manifest & Record<string, unknown>> {
  const [command, ...args] = await ensureServer({ language, name, languages, ...rest });
  const storage = join(folder, 'storage');
  return {
    publisher: 'workspace-mcp-test',
    version: '1.0.0',
    engines: { vscode: '^1.101.0' },
    main: './client.cjs',
    name: `${language}-server`,
    displayName: name,
    activationEvents: languages.map((id) => `onLanguage:${id}`),
    server: {
      command,
      args,
      languages,
      // what a server keeps goes with the folder
      env: { XDG_CACHE_HOME: storage },
      initializationOptions:
        language === 'php' ? { storagePath: storage, globalStoragePath: storage } : undefined,
    },
  };
}
