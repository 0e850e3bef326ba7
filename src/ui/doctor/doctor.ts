import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { findLaunch } from '../../agents/launch.ts';
import { readRecord, stateDirectory, WINDOW_VARIABLE } from '../../ipc/windowRecord.ts';
import type { WindowServer } from '../../server/windowServer.ts';
import { bad, ok, type Section, warn } from '../../shim/doctor/report.ts';
import { lastConnections } from '../connectAgent/connections.ts';
import { agentMachine } from '../connectAgent/machine.ts';
import type { Controls } from '../controls.ts';
import { agentsSection } from './agents.ts';
import { hostedServers } from './hostedServers.ts';

/**
 * The report that `--doctor` gives an agent in the first folder of this window, or in the home directory if there is none. It runs
 * in this process, so it works without Node.js and without a copy of the shim.
 */
export async function examine(controls: Controls): Promise<string> {
  const { server, servers, extension, agents, context } = controls;

  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  const machine = agentMachine(context.globalStorageUri);
  const connected = {
    now: agents.all.map(({ name }) => name),
    last: lastConnections(context.globalState),
  };
  const { runDoctor } = await import('../../shim/doctor/doctor.ts');
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
      thisWindow(server),
      await agentsSection(await findLaunch(), machine, connected),
      ...(await hostedServers(servers)),
    ],
  });
  return text;
}

/** In English, like the whole report, because users send it to others for help. */
function thisWindow({ state, id, error, connections }: WindowServer): Section {
  const finding = {
    running:
      id !== undefined && readRecord(stateDirectory(), id)
        ? ok(`The server runs as window ${id}; connected agents: ${connections}.`)
        : bad(
            `The server runs as window ${id}, but its record is missing, so agents cannot find it. Run "Workspace MCP: Restart Server".`,
          ),
    starting: warn('The server is starting. Run the doctor again.'),
    stopped: warn('The server is stopped. Run "Workspace MCP: Start Server".'),
    failed: bad(`The server could not start: ${error?.message}`),
  }[state];
  return { title: 'This window', findings: [finding] };
}
