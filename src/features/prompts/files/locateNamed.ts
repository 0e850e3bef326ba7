import { isAbsolute } from 'node:path';
import type * as vscode from 'vscode';
import { NotFoundError, UserError } from '../../../core/errors.ts';
import type { Location } from '../../../workspace/read/location.ts';
import type { Context } from '../../context.ts';

/** The folder from which a prompt file names others; undefined if only workspace folders count. */
export type Base = vscode.Uri | undefined;

/**
 * A file that a prompt file names: by an absolute path, or one from the base or else from a workspace folder. `./x` and `../x` are
 * from the base only.
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
  const fromBase =
    base && !isAbsolute(path) && path.isWellFormed() ? [Uri.joinPath(base, path).toString()] : [];
  const names = fromBase.length > 0 && /^\.\.?[\\/]/.test(path) ? fromBase : [...fromBase, path];
  let refusal: unknown;
  for (const name of names) {
    try {
      return await (name === path ? files.locate(path) : files.locateUri(name));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      if (!refusal || !(error instanceof NotFoundError)) refusal = error;
    }
  }
  if (isMaybe && refusal instanceof NotFoundError) return undefined;
  throw refusal;
}
