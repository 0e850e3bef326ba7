/** The errors that the compiler has in all projects. It reads a copy, so that the next question need not wait for it. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../host/paths.ts';
import type { At } from '../places.ts';

/** `file:line`, one for each error. */
export type Errors = ReadonlySet<string>;

const ERROR = /^(.+)\((\d+),\d+\): error (TS\d+)/gm;

/** A function that resolves to the errors in the workspace, as it is at the call. */
export function compilerErrors(at: At): () => Promise<Errors> {
  mkdirSync(at('copy'), { recursive: true });
  let last: Promise<unknown> = Promise.resolve();
  return async () => {
    await last;
    for (const part of ['src', 'types', 'tsconfig.base.json']) {
      rmSync(at(`copy/${part}`), { recursive: true, force: true });
      cpSync(at(`workspace/${part}`), at(`copy/${part}`), { recursive: true, preserveTimestamps: true });
    }
    const config = {
      extends: './tsconfig.base.json',
      compilerOptions: { incremental: true, tsBuildInfoFile: './all.tsbuildinfo' },
      include: ['src', 'types'],
    };
    writeFileSync(at('copy/tsconfig.json'), JSON.stringify(config));
    const errors = errorsOf(at('copy'));
    last = errors;
    return errors;
  };
}

const errorsOf = (folder: string): Promise<Errors> =>
  new Promise((resolve) => {
    const args = [join(projectRoot, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'];
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 1e9 }, (_, output) =>
      resolve(new Set([...output.matchAll(ERROR)].map(([, path, line]) => `${path}:${line}`))),
    );
  });
