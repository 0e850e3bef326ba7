import { directoryProblem } from '../../ipc/privateDirectory.ts';
import { lookAtRecords, type WindowRecord, windowsDirectory } from '../../ipc/windowRecord.ts';

/**
 * The records of the user's own windows, and why others are not read. None if other users can access the state directory:
 * they could have planted records that lead agents to their windows.
 */
export function trustedRecords(home: string): { records: WindowRecord[]; problems: string[] } {
  const uid = process.getuid?.();
  const problem = directoryProblem(home, uid) ?? directoryProblem(windowsDirectory(home), uid);
  return problem === undefined ? lookAtRecords(home) : { records: [], problems: [problem] };
}
