import { createRequire } from 'node:module';
import { join } from 'node:path';
import { attempt } from '../../core/errors.ts';

/**
 * A module that VS Code brings for its own terminals. None of them is a documented part of it, so each may be gone in another version.
 *
 * @param appRoot where VS Code is
 */
export const vscodeModule = <T>(appRoot: string, name: 'node-pty' | '@xterm/headless'): T | undefined =>
  attempt(() => createRequire(join(appRoot, 'package.json'))(name) as T);
