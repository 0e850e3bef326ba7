/** The VS Code server: one process group, listening on the loopback interface behind a secret of its own. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { ENDING, PATIENCE } from '../patience.ts';
import { endProcess, processesMentioning } from '../processes.ts';
import type { HeadlessHost } from './install.ts';
import { type ProcessGroup, spawnGroup } from './processGroup.ts';

export interface ServerOptions {
  serverDataDir: string;
  userDataDir: string;
  extensionsDir: string;
  /** For the server's own temporary files. */
  temporaryDir: string;
  /** Whether windows may name an extension in development. */
  development: boolean;
  env: NodeJS.ProcessEnv;
  machineSettings: object;
}

export interface Server {
  group: ProcessGroup;
  port: number;
  /** Secret that the first request of a browser has to bring along. */
  token: string;
}

export async function startServer(host: HeadlessHost, options: ServerOptions): Promise<Server> {
  mkdirSync(options.temporaryDir, { recursive: true });
  writeMachineSettings(options);
  const token = randomBytes(16).toString('hex');
  const tokenFile = join(options.temporaryDir, 'token');
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const args = [
    ...['--host', '127.0.0.1', '--port', '0', '--connection-token-file', tokenFile],
    // lets the page name an extension in development and its tests; it also keeps messages from popping up
    ...(options.development ? ['--enable-smoke-test-driver'] : []),
    // should this process be killed without a chance to clean up, the server ends minutes after its last window
    ...['--enable-remote-auto-shutdown', '--reconnection-grace-time', '300'],
    // no process for VS Code's own agents, which would need a native module
    ...['--agent-host-bridge-host', 'none'],
    ...['--user-data-dir', options.userDataDir],
    ...directories(options),
  ];
  const group = await spawnGroup(host.node, [host.serverMain, ...args], {
    env: environment(options),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { group, port: await listeningPort(group), token };
}

/** Installs a packaged extension as a user does. */
export async function installExtension(host: HeadlessHost, vsix: string, options: ServerOptions) {
  mkdirSync(options.temporaryDir, { recursive: true });
  const args = [host.serverMain, ...directories(options), '--install-extension', vsix, '--force'];
  const group = await spawnGroup(host.node, args, { env: environment(options), stdio: 'ignore' });
  const code = await group.exited;
  await group.stop();
  if (code !== 0) throw new Error(`The VS Code server could not install ${vsix} (exit code ${code}).`);
}

/**
 * Waits until the extension hosts that lost their window have deactivated their extensions, within bounds. A page can be gone
 * before it has told its own to end: that one would wait for the page for minutes.
 *
 * @param mark a text among their variables
 */
export async function endExtensionHosts(mark: string): Promise<void> {
  const running = () =>
    processesMentioning(mark).filter(({ command }) => command.includes('--type=extensionHost'));
  const ended = async () => {
    for (const deadline = Date.now() + ENDING; running().length > 0 && Date.now() < deadline; )
      await delay(50);
  };
  await ended();
  for (const { pid } of running()) endProcess(pid);
  await ended();
}

const directories = ({ serverDataDir, extensionsDir }: ServerOptions): string[] => [
  ...['--accept-server-license-terms', '--disable-telemetry'],
  ...['--server-data-dir', serverDataDir, '--extensions-dir', extensionsDir],
];

/** Not what an editor around us has set for its own children. */
function environment({ env, temporaryDir }: ServerOptions): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE|ELECTRON)_|^WORKSPACE_MCP_WINDOW$/.test(name),
  );
  // VSCODE_CLI: the extension host gets these variables as they are, without those of a login shell
  return { ...Object.fromEntries(inherited), TMPDIR: temporaryDir, VSCODE_CLI: '1', ...env };
}

/** Beside the user's data, which otherwise lies in the server's. */
function writeMachineSettings({ userDataDir, machineSettings }: ServerOptions): void {
  const directory = join(userDataDir, 'Machine');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'settings.json'), JSON.stringify(machineSettings, null, 2));
}

function listeningPort({ child, exited, stop }: ProcessGroup): Promise<number> {
  const output: string[] = [];
  const fail = (reason: string) => new Error(`${reason}\n${output.slice(-20).join('\n')}`);
  return new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(fail(`The VS Code server did not start in ${PATIENCE / 1000} s.`));
      void stop();
    }, PATIENCE);
    void exited.then((code) => reject(fail(`The VS Code server ended with exit code ${code}.`)));
    const read = (line: string) => {
      output.push(line);
      const port = /agent listening on (\d+)/.exec(line)?.[1];
      if (port) resolve(Number(port));
      if (port) clearTimeout(timer);
    };
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface(stream).on('line', (line) => output.length < 1000 && read(line));
    }
  });
}
