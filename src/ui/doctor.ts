import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import * as vscode from 'vscode';
import { type AgentProgram, findLaunch, type Launch, type Machine } from '../agents/program.ts';
import { settingValue } from '../core/settings.ts';
import type { Hosted, HostedState, ServerSource } from '../hosting/index.ts';
import { readRecord, stateDirectory, WINDOW_VARIABLE } from '../ipc/windowRecord.ts';
import type { WindowServer } from '../server/windowServer.ts';
import { bad, type Finding, none, ok, type Section, section, warn } from '../shim/doctor/report.ts';
import { lastConnections } from './connectAgent/atStart.ts';
import { agentMachine, type FoundAgent, type FoundEntry, findAgents } from './connectAgent/found.ts';
import type { Controls } from './controls.ts';
import { hasServers } from './hosting/definitions.ts';
import { definitionProblem } from './hosting/rows.ts';
import type { ServersLater } from './hosting/serversLater.ts';
import { isStopped } from './settings.ts';

/**
 * The report that `--doctor` gives an agent in the first folder of this window, or in the home directory if there is none. It runs
 * in this process, so it works without Node.js and without a copy of the shim.
 */
export async function doctorReport(controls: Controls): Promise<string> {
  const { server, servers, extension, context } = controls;
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  const { runDoctor } = await import('../shim/main.ts');
  const { text } = await runDoctor({
    self: {
      name: 'extension',
      version: extension.packageJSON.version,
      shim: join(extension.extensionPath, 'dist', 'shim.js'),
    },
    // The variable as terminals of this window have it.
    env: { ...process.env, ...(server.id && { [WINDOW_VARIABLE]: server.id }) },
    cwd: folder?.uri.fsPath ?? homedir(),
    first: [
      thisWindow(server, isStopped(context.workspaceState)),
      await agentsHere(controls),
      ...(await hostedServers(servers)),
    ],
  });
  return text;
}

/** Tells the doctor in a terminal what this window knows of agents. */
export async function answerDoctor(socket: Duplex, controls: DoctorControls): Promise<void> {
  socket.end(JSON.stringify(await agentsHere(controls)));
}

type DoctorControls = Pick<Controls, 'agents' | 'context'>;

const agentsHere = async ({ agents, context }: DoctorControls): Promise<Section> =>
  agentsSection({ agents }, await findLaunch(), agentMachine(context), lastConnections(context.globalState));

/** In English, like the whole report, because users send it to others for help. */
function thisWindow({ state, id, error, connections }: WindowServer, byUser: boolean): Section {
  const finding = {
    running:
      id !== undefined && readRecord(stateDirectory(), id)
        ? ok(`The server runs as window ${id}; connected agents: ${connections}.`)
        : bad(
            `The server runs as window ${id}, but its record is missing, so agents cannot find it. Run "Workspace MCP: Restart Server".`,
          ),
    starting: warn('The server is starting. Run the doctor again.'),
    stopped: warn(
      `${byUser ? 'You have stopped the server, and it stays so in this workspace' : 'The server is stopped'}. Run "Workspace MCP: Start Server".`,
    ),
    failed: bad(`The server could not start: ${error?.message}`),
  }[state];
  return { title: 'This window', findings: [finding] };
}

/** Each agent that is installed or configured here. In English, like the whole report. @param last when each connected last, by name */
export async function agentsSection(
  controls: Pick<Controls, 'agents'>,
  launch: Launch,
  machine: Machine,
  last: Record<string, number>,
): Promise<Section> {
  const found = await findAgents(controls, launch, machine);
  const { lastHooks } = controls.agents;
  const findings = found.flatMap((agent) =>
    agentFindings(agent, connectionText(agent, last), lastHooks.get(agent.program.id)),
  );
  return section('Agents', findings, none('None is installed on this machine.'));
}

function agentFindings(
  { program, entries, ...agent }: FoundAgent,
  connection: string,
  lastHook: number | undefined,
): Finding[] {
  const there = entries.filter(({ examined }) => examined.state !== 'absent');
  if (there.length > 0)
    return there.flatMap((entry) => [
      entryFinding(entry, connection),
      ...hookFindings(entry, lastHook),
      ...partFindings(entry, 'skills', entry.examined.skills),
      ...partFindings(entry, 'language servers', entry.examined.languageServers),
    ]);
  if (agent.isBuiltIn)
    return [ok(`${program.name}: built in, needs no configuration. ${connection} ${toolListText(program)}`)];
  if (!agent.isInstalled) return [];
  const text = `${program.name}: installed, not configured. ${connection}`;
  if (agent.isConnected) return [ok(`${text} ${toolListText(program)}`)];
  return [none(`${text} To set it up, run "Workspace MCP: Connect Agent".`)];
}

function entryFinding({ target, examined }: FoundEntry, connection: string): Finding {
  const { file, state, problem, limit } = examined;
  const start = `${target.program.name}, ${target.place.scope}, ${file}:`;
  if (state === 'configured') {
    const stops = limit === undefined ? '' : ` It stops a tool call after ${limit} s.`;
    return ok(`${start} configured. ${connection}${stops} ${toolListText(target.program)}`);
  }
  const text = `${start} ${problem} Run "Workspace MCP: Connect Agent".`;
  return state === 'outdated' ? warn(text) : bad(text);
}

/** Nothing for hooks that are the problem of the entry. @param last when the last one came to this window */
function hookFindings({ target, examined }: FoundEntry, last: number | undefined): Finding[] {
  const { hooks, problem } = examined;
  if (!hooks || (problem !== undefined && hooks.problem === problem)) return [];
  const start = `${target.program.name}, hooks, ${hooks.file}:`;
  if (hooks.state === 'absent')
    return [none(`${start} not written. "Workspace MCP: Connect Agent" writes them.`)];
  if (hooks.problem !== undefined) return [warn(`${start} ${hooks.problem}`)];
  const came =
    last === undefined
      ? 'None has come to this window yet.'
      : `The last came ${new Date(last).toISOString()}.`;
  const { count, all } = hooks.reviewed ?? {};
  if (count === all) return [ok(`${start} written. ${came}`)];
  const unreviewed = `You have reviewed ${count} of ${all}. Codex skips the others without a word: type /hooks in it.`;
  return [warn(`${start} written. ${came} ${unreviewed}`)];
}

/** Nothing for a part that is the problem of the entry. */
function partFindings(
  { target, examined: { problem } }: FoundEntry,
  name: string,
  part: FoundEntry['examined']['skills'],
): Finding[] {
  if (!part || (part.problem !== undefined && part.problem === problem)) return [];
  const start = `${target.program.name}, ${name}, ${part.file}:`;
  if (part.state === 'absent')
    return [none(`${start} not written. "Workspace MCP: Connect Agent" writes them.`)];
  return [part.problem === undefined ? ok(`${start} written.`) : warn(`${start} ${part.problem}`)];
}

/** Which list of tools an agent gets, and why. */
function toolListText({ defers }: AgentProgram): string {
  const set = settingValue(vscode.workspace, 'tools.profile');
  const isSet = set === 'core' || set === 'all';
  const list = (isSet ? set === 'all' : defers) ? 'all tools' : 'the core of the tools';
  const why = defers ? 'because it searches them itself' : 'because it gives every tool to its model';
  return `It gets ${list}, ${isSet ? 'by the setting workspaceMcp.tools.profile' : why}.`;
}

function connectionText({ isConnected, program }: FoundAgent, last: Record<string, number>): string {
  if (isConnected) return 'Connected now.';
  const times = Object.entries(last).flatMap(([name, time]) => (program.client.test(name) ? [time] : []));
  return times.length > 0
    ? `Last connected ${new Date(Math.max(...times)).toISOString()}.`
    : 'No connection recorded.';
}

/** Each hosted server; no section if there are none. In English, like the whole report. */
async function hostedServers(later: Pick<ServersLater, 'get' | 'isLoaded'>): Promise<Section[]> {
  if (!later.isLoaded && !hasServers()) return [];
  const { servers, found, off } = (await later.get()).hosting;
  const findings = [
    ...(off === undefined ? [] : [warn(`No servers are hosted. ${off}`)]),
    ...servers.map(serverFinding),
    ...found.map((one): Finding => {
      const problem = definitionProblem(one) ?? one.forbidden;
      const name = `${one.name || 'servers'}, from ${placeText(one.source)}`;
      return problem === undefined
        ? ok(`${name}: found, not hosted. Host it in the view of Workspace MCP if agents need it.`)
        : warn(`${name}: cannot be used: ${problem}`);
    }),
  ];
  return findings.length > 0 ? [{ title: 'Hosted MCP servers', findings }] : [];
}

function serverFinding(server: Hosted): Finding {
  const { name, state, problem, changedParts, missingInputs } = server;
  const { tools } = server.offer;
  const start = `${name}, from ${placeText(server.config.source)}:`;
  const waits: Partial<Record<HostedState, string>> = {
    changed: `changed (${changedParts.join(', ')}), so it is stopped until you approve it in the view of Workspace MCP.`,
    halted: 'you have stopped it. Start it in the view of Workspace MCP.',
    needsUser: `waits for you. ${problem}`,
    new: 'waits for your approval. Approve it in the view of Workspace MCP.',
    restricted: 'not started, because the workspace is not trusted.',
    forbidden: `${problem}`,
    ...(missingInputs.length > 0 && {
      stopped: 'waits for values that you enter in the view of Workspace MCP.',
    }),
  };
  if (waits[state] !== undefined) return warn(`${start} ${waits[state]}`);
  if (state === 'stopped') return none(`${start} not running, starts with its next use.`);
  // Its stderr may hold secrets.
  const reason = problem?.replace(/ Its last output: .*/s, ' Its log has its last output.');
  if (state === 'failed') return bad(`${start} failed: ${reason}`);
  const held = tools.filter((tool) => tool.held).length;
  const text = `${start} ${state}; tools: ${tools.length}`;
  return held > 0 ? warn(`${text}; held back, because they changed: ${held}`) : ok(text);
}

const placeText = (source: ServerSource): string =>
  source.kind === 'settings' ? 'the setting workspaceMcp.servers' : source.file;
