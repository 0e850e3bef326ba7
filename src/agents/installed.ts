import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { AgentProgram, Machine } from './program.ts';

/** Whether an agent seems to be installed: its program is on the PATH, or its configuration or the folder of that is there. */
export function isInstalled({ command, places }: AgentProgram, machine: Machine): boolean {
  if (command !== undefined && isOnPath(command, machine)) return true;
  return places
    .filter(({ scope }) => scope === 'user')
    .flatMap(({ files }) => files(machine))
    .some((file) => existsSync(file) || (dirname(file) !== machine.home && existsSync(dirname(file))));
}

/** Programs of npm have another extension on Windows than others. */
function isOnPath(command: string, { env, platform }: Machine): boolean {
  const extensions = platform === 'win32' ? ['.exe', '.cmd', '.ps1'] : [''];
  return (env.PATH ?? env.Path ?? '')
    .split(delimiter)
    .filter((directory) => directory !== '')
    .some((directory) => extensions.some((extension) => existsSync(join(directory, command + extension))));
}
