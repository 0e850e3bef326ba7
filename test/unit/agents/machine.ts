import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPlans } from '../../../src/agents/applyPlans.ts';
import { planToConfigure, planToRemove } from '../../../src/agents/plan.ts';
import type { Launch, Machine, Target } from '../../../src/agents/program.ts';
import { agentPrograms } from '../../../src/agents/programs.ts';
import { projectRoot } from '../../host/paths.ts';
import { makeTemporary } from '../../temporary.ts';
import { english } from '../hosting/english.ts';

/** A home directory of its own, with an installed shim and a workspace folder. */
export class TestMachine {
  machine: Machine;
  launch: Launch;

  constructor() {
    const home = makeTemporary('Zoë Müller ');
    const shim = join(home, '.workspace-mcp', 'shim.js');
    mkdirSync(join(home, '.workspace-mcp'));
    mkdirSync(join(home, 'app'));
    writeFileSync(shim, '');
    const ownSkills = join(projectRoot, 'skills');
    const places = { home, folder: join(home, 'app'), userData: join(home, 'User'), ownSkills };
    this.machine = { platform: process.platform, env: {}, ...places, l10n: english };
    this.launch = { command: 'node', program: process.execPath, shim, env: {}, isOwn: false };
  }

  readonly fileOf = ({ place }: Target): string => place.files(this.machine).at(-1) ?? '';
  readonly configure = async (target: Target): Promise<unknown> =>
    applyPlans(await planToConfigure(target, this.launch, this.machine));
  readonly remove = async (target: Target): Promise<unknown> =>
    applyPlans(await planToRemove(target, this.launch, this.machine));
}

export const makeMachine = (): TestMachine => new TestMachine();

/** A place of an agent; the user's if it is not named. */
export function targetOf(id: string, scope = 'user'): Target {
  const program = agentPrograms.find((one) => one.id === id);
  const place = program?.places.find((one) => one.scope === scope);
  if (!program || !place) throw new Error(`${id} has no scope ${scope}`);
  return { program, place };
}
