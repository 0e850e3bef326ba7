import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { attempt } from '../core/errors.ts';
import { windowsProgram } from '../util/windowsProgram.ts';

/** The access list of a directory on Windows: what mode 0700 does elsewhere. */

/** Runs icacls. Rejects if it fails. */
type Icacls = (...args: string[]) => Promise<unknown>;

/** Milliseconds for one run: the directory may be on a network. */
const LIMIT = 5_000;

const icaclsOfWindows: Icacls = (...args) =>
  promisify(execFile)(windowsProgram('icacls.exe'), args, { timeout: LIMIT, windowsHide: true });

/** Groups with users that are not this one, in the security descriptor language: everyone, all users, guests, networks, domains. */
const OTHERS = /\((?:A|OA|XA);[^)]*;(?:WD|AU|BU|BG|AN|IU|NU|DU|DG)[);]/;

/**
 * Takes other users off the access list of a directory, if they are on it. Does nothing if the list cannot be read, as on a disk that
 * has none.
 *
 * @throws Error with what to do if they stay on it
 */
export async function closeToOthers(path: string, icacls = icaclsOfWindows): Promise<void> {
  if (!(await isOpenToOthers(path, icacls))) return;
  const user = `${process.env.USERDOMAIN ? `${process.env.USERDOMAIN}\\` : ''}${userInfo().username}`;
  // First the user: without any entry nobody could use the directory.
  const grant = ['/grant:r', `${user}:(OI)(CI)F`];
  await icacls(path, ...grant)
    .then(() => icacls(path, '/inheritance:r', ...grant))
    .catch(() => {}); // what is told then
  if (!(await isOpenToOthers(path, icacls))) return;
  throw new Error(
    `Workspace MCP does not use the directory ${path}: other users can access it. Run: icacls "${path}" /inheritance:r /grant:r "${user}:(OI)(CI)F"`,
  );
}

async function isOpenToOthers(path: string, icacls: Icacls): Promise<boolean> {
  const file = join(path, `access.${process.pid}.tmp`);
  await icacls(path, '/save', file).catch(() => {});
  const list = attempt(() => readFileSync(file, 'utf16le')) ?? '';
  rmSync(file, { force: true });
  return OTHERS.test(list);
}
