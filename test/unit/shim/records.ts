import type { WindowRecord } from '../../../src/ipc/windowRecord.ts';
import type { ProbedWindow } from '../../../src/shim/doctor/windows.ts';

/** A record with what a test is about; everything else is plausible. */
export const record = (fields: Partial<WindowRecord>): WindowRecord => ({
  version: 1,
  id: 'a',
  pid: 1,
  host: 'host',
  bootId: 'boot',
  socketPath: '/nowhere/a.sock',
  token: '0'.repeat(64),
  workspaceFolders: [],
  ideName: 'Visual Studio Code',
  ideVersion: '1.101.0',
  extensionVersion: '0.1.0',
  startedAt: 0,
  focusedAt: 0,
  trusted: true,
  ...fields,
});

/** A record of a window with these folders, given as paths. */
export const windowOf = (id: string, paths: string[], fields: Partial<WindowRecord> = {}): WindowRecord =>
  record({ id, workspaceFolders: paths.map((path) => ({ uri: `file://${path}`, name: path })), ...fields });

/** What a doctor sees of a window that is well. */
export const wellSeen = (window: WindowRecord): ProbedWindow => ({
  record: window,
  answers: true,
  responsive: true,
  isOfThisMachine: true,
  isRunning: true,
});
