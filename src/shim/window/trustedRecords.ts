import { directoryProblem } from '../../ipc/privateDirectory.ts';
import { lookAtRecords, type WindowRecord, windowsDirectory } from '../../ipc/windowRecord.ts';

/**
 * The records of the user's own windows, and why others are not read. None where the state directory is not the user's
 * alone: somebody else could have put records of their windows there, for our agents to talk to.
 */
export function trustedRecords(home: string): { records: WindowRecord[]; problems: string[] } {
  const uid = process.getuid?.();
  const problem = directoryProblem(home, uid) ?? directoryProblem(windowsDirectory(home), uid);
  return problem === undefined ? lookAtRecords(home) : { records: [], problems: [problem] };
}
