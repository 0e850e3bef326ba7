/** Finds programs as a shell does. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export function findProgram(name: string, directories = pathDirectories()): string | undefined {
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

export const pathDirectories = (): string[] =>
  (process.env.PATH ?? '').split(delimiter).filter((directory) => directory !== '');

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
