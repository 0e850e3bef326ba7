import { UserError } from '../core/errors.ts';
import type { Operation, PolicyFolder } from './accessSettings.ts';
import type { Reason } from './pathTables.ts';

/** Why a path is closed. For the user only; agents get the sentence of `refusal`. */
export type Closed =
  | { by: 'outside' }
  | { by: 'alternate name' }
  /** By the table of closed paths. */
  | { by: 'secret'; reason: Reason }
  | { by: 'editor data' }
  /** Without a folder: by the settings for paths outside all folders. */
  | { by: 'deniedPaths'; glob: string; folder?: PolicyFolder }
  | { by: 'roots'; roots: readonly string[] };

/** Why a file is guarded. For the user only. */
export type Guarded =
  /** By the table of guarded files. */
  | { by: 'table'; reason: Reason }
  | { by: 'editor data' }
  /** The definition of this hosted server names it. */
  | { by: 'server'; server: string }
  /** There are too many links to know all names of the file. */
  | { by: 'links' }
  /** Without a folder: by the settings for paths outside all folders. */
  | { by: 'guardedPaths'; glob: string; folder?: PolicyFolder };

/** Why a file is guarded, with the name that caused it if that is not the given one. */
export interface Guard {
  guarded: Guarded;
  name?: string;
}

/** The error for the agent. It does not reveal whether the path exists. */
export function refusal(path: string, closed: Closed, folders: readonly PolicyFolder[]): UserError {
  if (closed.by === 'outside') return outside(path, folders);
  if (closed.by === 'roots')
    return new UserError(
      `${path} is outside the roots that your client declared (${closed.roots.join(', ') || 'none on this disk'}). Work inside them, or let the client declare more.`,
    );
  return new UserError(
    `${path} is closed to agents. Secrets, version control data and VS Code's own data always are; the setting workspaceMcp.access.deniedPaths closes more.`,
  );
}

function outside(path: string, folders: readonly PolicyFolder[]): UserError {
  const open =
    folders.length > 0
      ? `the workspace folders (${folders.map((folder) => folder.path).join(', ')})`
      : 'the workspace (none of its folders is open to you)';
  return new UserError(
    `${path} is outside ${open}. The user can open it to agents with the setting workspaceMcp.access.allowedPaths.`,
  );
}

/** What blocks an operation: missing workspace trust, or the setting. */
export type Off = 'trust' | 'allowedOperations';

export const operationOff = (operation: Operation, off: Off): UserError =>
  new UserError(
    off === 'trust'
      ? `This workspace is not trusted, so agents may only read. The user can change that with the command "Workspaces: Manage Workspace Trust".`
      : `"${operation}" is switched off here by the setting workspaceMcp.access.allowedOperations. Only the user can change it.`,
  );
