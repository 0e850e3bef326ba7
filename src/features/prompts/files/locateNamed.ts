import { isAbsolute } from 'node:path';
import type * as vscode from 'vscode';
import { NotFoundError } from '../../../core/errors.ts';
import type { Location } from '../../../workspace/read/location.ts';
import type { Context } from '../../context.ts';

/** The folder from which a prompt file names others; undefined if only workspace folders count. */
export type Base = vscode.Uri | undefined;

/**
 * A file that a prompt file names: by a path from the base, from a workspace folder, or absolute.
 *
 * @param isMaybe what is no file is no error, and undefined
 * @throws UserError if it is closed to the agent, NotFoundError
 */
export async function locateNamed(
  path: string,
  base: Base,
  { files, vscode: { Uri } }: Context,
  isMaybe = false,
): Promise<Location | undefined> {
  try {
    if (base && !isAbsolute(path)) {
      const found = await files.locateUri(Uri.joinPath(base, path).toString()).catch(unlessFound);
      if (found) return found;
    }
    return await files.locate(path);
  } catch (error) {
    if (isMaybe) return unlessFound(error);
    throw error;
  }
}

function unlessFound(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error;
}
