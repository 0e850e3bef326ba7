import { type Examined, examine } from '../../agents/examine.ts';
import { isInstalled } from '../../agents/installed.ts';
import type { Launch } from '../../agents/launch.ts';
import type { AgentProgram, Machine, Place } from '../../agents/program.ts';
import { agentPrograms } from '../../agents/programs.ts';
import { bad, type Finding, ok, type Section, warn } from '../../shim/doctor/report.ts';

/** When agents connected: the names of those that are connected, and of all the last time, in milliseconds since the epoch. */
export interface Connected {
  now: readonly string[];
  last: Record<string, number>;
}

/** Each agent that is installed or configured here. In English, like the whole report. */
export async function agentsSection(
  launch: Launch,
  machine: Machine,
  connected: Connected,
): Promise<Section> {
  const findings = await Promise.all(
    agentPrograms.map((program) => findingsOf(program, launch, machine, connected)),
  );
  const all = findings.flat();
  return { title: 'Agents', findings: all.length > 0 ? all : [ok('None is installed on this machine.')] };
}

async function findingsOf(
  program: AgentProgram,
  launch: Launch,
  machine: Machine,
  connected: Connected,
): Promise<Finding[]> {
  const all = await Promise.all(
    program.places.map(async (place) => ({
      place,
      found: await examine({ program, place }, launch, machine),
    })),
  );
  const there = all.flatMap(({ place, found }) =>
    found && found.state !== 'absent' ? [findingOf(program, place, found, connected)] : [],
  );
  if (there.length > 0 || !isInstalled(program, machine)) return there;
  return [ok(`${program.name}: installed, not configured. ${connection(program, connected)}`)];
}

function findingOf(program: AgentProgram, place: Place, found: Examined, connected: Connected): Finding {
  const { file, state, problem, limit } = found;
  const start = `${program.name}, ${place.scope}, ${file}:`;
  switch (state) {
    case 'broken':
    case 'unreadable':
      return bad(`${start} ${problem} Run "Workspace MCP: Connect Agent".`);
    case 'outdated':
      return warn(`${start} ${problem} Run "Workspace MCP: Connect Agent".`);
    default:
      return ok([`${start} configured.`, connection(program, connected), limitText(limit)].join(' ').trim());
  }
}

function connection({ client }: AgentProgram, { now, last }: Connected): string {
  if (now.some((name) => client.test(name))) return 'Connected now.';
  const times = Object.entries(last).flatMap(([name, time]) => (client.test(name) ? [time] : []));
  return times.length > 0
    ? `Last connected ${new Date(Math.max(...times)).toISOString()}.`
    : 'No connection recorded.';
}

const limitText = (limit: number | undefined): string =>
  limit === undefined ? '' : `It stops a tool call after ${limit} s.`;
