import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Launch } from '../../../src/agents/launch.ts';
import type { Machine, Target } from '../../../src/agents/program.ts';
import { agentPrograms } from '../../../src/agents/programs.ts';
import { makeTemporary } from '../../temporary.ts';

const l10n = {
  t: (text: string, ...values: unknown[]) =>
    text.replaceAll(/\{(\d+)\}/g, (_, index) => String(values[Number(index)])),
} as Machine['l10n'];

/** A home directory of its own, with an installed shim and a workspace folder. */
export function makeMachine(): { machine: Machine; launch: Launch } {
  const home = makeTemporary();
  const shim = join(home, '.workspace-mcp', 'shim.js');
  mkdirSync(join(home, '.workspace-mcp'));
  mkdirSync(join(home, 'app'));
  writeFileSync(shim, '');
  const { platform } = process;
  const places = { home, folder: join(home, 'app'), userData: join(home, 'User') };
  return {
    machine: { platform, env: {}, ...places, l10n },
    launch: { command: 'node', program: process.execPath, shim, env: {}, isOwn: false },
  };
}

/** A place of an agent; the user's if it is not named. */
export function targetOf(id: string, scope = 'user'): Target {
  const program = agentPrograms.find((one) => one.id === id);
  const place = program?.places.find((one) => one.scope === scope);
  if (!program || !place) throw new Error(`${id} has no scope ${scope}`);
  return { program, place };
}
