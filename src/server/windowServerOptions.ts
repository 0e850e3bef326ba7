import type { Socket } from 'node:net';
import type { WindowRecord } from '../ipc/windowRecord.ts';
import type { Log } from '../util/log.ts';
import type { Peer } from './listener.ts';

/** What a record tells of the window itself. */
export type WindowDescription = Pick<
  WindowRecord,
  | 'workspaceFolders'
  | 'workspaceFile'
  | 'ideName'
  | 'ideVersion'
  | 'extensionVersion'
  | 'trusted'
  | 'focusedAt'
  | 'toolsOff'
>;

export interface WindowServerOptions {
  /** The state directory. */
  home: string;
  env: NodeJS.ProcessEnv;
  /** The id that the window would like, of {@link windowIdFrom}. */
  wantedId: string;
  /** Path of the shim that comes with the extension. */
  bundledShim: string;
  describe(): WindowDescription;
  /** Paths of the workspace folders, as far as they are on a disk. */
  folderPaths(): string[];
  /** Whether the workbench answers. */
  isResponsive(): Promise<boolean>;
  /** Whether there is a session that goes by this key. */
  knowsSession(resume: string): boolean;
  /** Serves an agent over the socket, until one of the two ends it. */
  openSession(socket: Socket, peer: Peer): void | Promise<void>;
  log: Log;
}
