/** @modelcontextprotocol/server-filesystem, the file server most agents know; installed when it is first measured. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmInstall } from '../host/headless/npm.ts';
import { cacheDirectory } from '../host/paths.ts';

const NAME = '@modelcontextprotocol/server-filesystem';
export const PEER_VERSION = '2026.8.31';

/** @returns path of its program, to be run with `node` */
export async function ensurePeer(): Promise<string> {
  const directory = join(cacheDirectory, `server-filesystem-${PEER_VERSION}`);
  if (!existsSync(directory)) {
    const draft = `${directory}.part`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    const manifest = { private: true, dependencies: { [NAME]: PEER_VERSION } };
    writeFileSync(join(draft, 'package.json'), JSON.stringify(manifest));
    await npmInstall(`installing ${NAME} ${PEER_VERSION}`, draft, console.error);
    renameSync(draft, directory);
  }
  return join(directory, 'node_modules', NAME, 'dist/index.js');
}
