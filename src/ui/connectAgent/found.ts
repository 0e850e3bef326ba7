import * as vscode from 'vscode';
import { type Examined, examine } from '../../agents/examine.ts';
import { isInstalled } from '../../agents/installed.ts';
import type { Launch } from '../../agents/launch.ts';
import type { AgentProgram, Machine, Target } from '../../agents/program.ts';
import { agentPrograms } from '../../agents/programs.ts';
import type { Controls } from '../controls.ts';
import { ownAgentOf } from './ownAgent.ts';

/** A place of an agent on this machine. */
export interface FoundPlace {
  target: Target;
  examined: Examined;
}

/** An agent as it is on this machine. */
export interface Found {
  program: AgentProgram;
  isInstalled: boolean;
  /** To this window, now. */
  isConnected: boolean;
  /** It is the agent of this editor, which has our server without an entry. */
  isBuiltIn: boolean;
  places: FoundPlace[];
  /** The place that tells most about it: the first that needs a repair, else the first with an entry, else the usual one. */
  main: FoundPlace;
}

const IMPORTANCE: readonly Examined['state'][] = ['broken', 'unreadable', 'outdated', 'configured', 'absent'];

/** All agents that can be configured here; the installed ones first. */
export async function findAgents(
  { agents }: Pick<Controls, 'agents'>,
  launch: Launch,
  machine: Machine,
): Promise<Found[]> {
  const found = await Promise.all(
    agentPrograms.map(async (program): Promise<Found[]> => {
      const places = await placesOf(program, launch, machine);
      const [main] = places.toSorted((a, b) => rank(a) - rank(b));
      if (!main) return [];
      const isBuiltIn = program.id === ownAgentOf(vscode);
      // An editor's own agent has the name of the editor, whatever that is.
      const isConnected = agents.all.some(
        ({ name }) => program.client.test(name) || (isBuiltIn && name === vscode.env.appName),
      );
      return [
        {
          program,
          isInstalled: isConnected || isBuiltIn || isInstalled(program, machine),
          isConnected,
          isBuiltIn,
          places,
          main,
        },
      ];
    }),
  );
  return found.flat().sort((a, b) => Number(b.isInstalled) - Number(a.isInstalled));
}

const rank = ({ examined }: FoundPlace): number => IMPORTANCE.indexOf(examined.state);

async function placesOf(program: AgentProgram, launch: Launch, machine: Machine): Promise<FoundPlace[]> {
  const places = await Promise.all(
    program.places.map(async (place) => {
      const target = { program, place };
      const examined = await examine(target, launch, machine);
      return examined && { target, examined };
    }),
  );
  return places.filter((place) => place !== undefined);
}
