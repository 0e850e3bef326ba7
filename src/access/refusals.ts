import { UserError } from '../core/errors.ts';
import type { Operation } from './operation.ts';
import type { PolicyFolder } from './policyFolder.ts';
import type { Reason } from './protectedPaths.ts';

/** Why a path is closed. All of it is for the person; agents read no more than the sentence. */
export type Closed =
  | { by: 'outside' }
  | { by: 'alternate name' }
  /** By the table of what is closed always. */
  | { by: 'secret'; reason: Reason }
  | { by: 'editor data' }
  /** @param folder none: by the settings for what lies in no folder */
  | { by: 'deniedPaths'; glob: string; folder?: PolicyFolder }
  | { by: 'roots'; roots: readonly string[] };

/** Why an edit is asked for each time. For the person alone. */
export type Guarded =
  /** By the table of what can change what runs, or what agents are told. */
  | { by: 'table'; reason: Reason }
  | { by: 'editor data' }
  /** @param folder none: by the settings for what lies in no folder */
  | { by: 'guardedPaths'; glob: string; folder?: PolicyFolder };

/** The same, and by which name of the file, if that is another one. */
export interface Guard {
  guarded: Guarded;
  name?: string;
}

/** What an agent reads of it: the same whether or not there is anything at that path. */
export function refusal(path: string, closed: Closed, folders: readonly PolicyFolder[]): UserError {
  if (closed.by === 'outside') return outside(path, folders);
  if (closed.by === 'roots') return outsideRoots(path, closed.roots);
  return new UserError(
    `${path} is closed to agents: secrets, version-control internals and VS Code's own data always are, others by the setting workspaceMcp.access.deniedPaths.`,
  );
}

function outside(path: string, folders: readonly PolicyFolder[]): UserError {
  const open =
    folders.length > 0
      ? `the workspace folders (${folders.map((folder) => folder.path).join(', ')})`
      : 'the workspace (it has no folder that is open to you)';
  return new UserError(
    `${path} lies outside ${open}. The person can open it to agents with the setting workspaceMcp.access.allowedPaths.`,
  );
}

const outsideRoots = (path: string, roots: readonly string[]): UserError =>
  new UserError(
    `${path} lies outside the roots that your client declared (${roots.join(', ') || 'none that is on this disk'}). Work inside them, or have the client declare more.`,
  );

/** What keeps agents from an operation: that the workspace is not trusted, or the setting. */
export type Off = 'trust' | 'allowedOperations';

export const switchedOff = (operation: Operation, off: Off): UserError =>
  new UserError(
    off === 'trust'
      ? `This workspace is not trusted, so agents may only read. The person can change that with the command "Workspaces: Manage Workspace Trust".`
      : `"${operation}" is switched off here by the setting workspaceMcp.access.allowedOperations. Only the person can change it.`,
  );
