import { homedir } from 'node:os';
import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { readSmallFile } from '../../util/diskPaths.ts';
import type { Log } from '../../util/log.ts';
import type { ProcessCommand } from '../../util/processGroup.ts';
import { forbidden, hostingOff } from '../config/administration.ts';
import type { ServerInput } from '../config/definition.ts';
import type { KeptSecrets } from '../config/keptSecrets.ts';
import { findProgramDirectories, keptBackNote } from '../config/resolve/environment.ts';
import {
  type LaunchDetails,
  type LaunchMachine,
  lookAt,
  resolveLaunch,
} from '../config/resolve/resolveLaunch.ts';
import { inSandbox, WITHOUT_SANDBOX } from '../config/resolve/sandbox.ts';
import type { Folder } from '../config/resolve/variables.ts';
import { directoryOf, type ServerSource, type UsableServer } from '../config/sources.ts';
import type { Trust } from '../config/trust.ts';
import { NeedsUserError } from '../connection/negotiate.ts';
import type { HostedConnection } from '../connection/openConnection.ts';
import { connectStdio, type StdioOptions } from '../connection/stdio.ts';
import { hider } from '../hide.ts';
import { connectRemote, type RemoteOptions } from '../remote/connectRemote.ts';
import type { SignIns } from '../remote/signIns.ts';

/** Most bytes of an `envFile`: the user is shown what it sets. */
const ENV_FILE_BYTES = 64 * 1024;

interface StartOptions extends StdioOptions, Pick<RemoteOptions, 'tools'> {
  /** For the log of the server. */
  onNote?: (line: string) => void;
}

interface LauncherNeeds {
  vscode: Pick<typeof vscode, 'workspace' | 'l10n' | 'env'>;
  trust: Trust;
  secrets: KeptSecrets;
  signIns: SignIns;
  /** Absolute path of our installed shim. */
  shim: string;
  log: Log;
}

/** A server cannot start before the user has entered these. */
export class InputNeededError extends NeedsUserError {
  readonly inputs: readonly ServerInput[];
  constructor(inputs: readonly ServerInput[]) {
    super(
      `It needs values that the user has not entered yet: ${inputs.map(({ id }) => id).join(', ')}. Ask them to enter them in the view of Workspace MCP.`,
    );
    this.inputs = inputs;
  }
}

/** The env file sets variables, or values of them, that the user has not approved, or the sandbox of the definition is not there any more. */
export class UnapprovedVariablesError extends NeedsUserError {
  constructor(variables: readonly string[]) {
    const orUnsafe = variables.includes(WITHOUT_SANDBOX)
      ? ', or it would run without the sandbox that its definition asks for'
      : '';
    // Without names: agents may not read the file, and the rest of a broken value can look like a name.
    super(
      `Its env file sets variables, or values, that the user has not approved${orUnsafe}. Ask them to approve the server in the view of Workspace MCP.`,
    );
  }
}

/** Starts servers, if the user, the workspace and the administrator allow it. Everything is checked again at each start. */
export class Launcher {
  readonly #needs: LauncherNeeds;

  constructor(needs: LauncherNeeds) {
    this.#needs = needs;
  }

  /** @param key from `serverKey`. @throws UserError that says why it may not, or does not, start; CancelledError */
  async start(server: UsableServer, key: string, options: StartOptions): Promise<HostedConnection> {
    const { vscode, trust, signIns, log } = this.#needs;
    const { name, inputs, syntax, found } = server;
    const { launch } = found.definition;
    const isOff = hostingOff(vscode);
    if (isOff) throw new UserError(isOff);
    if (trust.verdict(key, launch).kind !== 'trusted')
      throw new UserError(
        'The user has not approved it. Ask them to approve it in the view of Workspace MCP.',
      );
    const machine = await this.#machine(server, key);
    const resolution = await resolveLaunch({ key, launch, inputs, syntax }, machine);
    if ('missing' in resolution) throw new InputNeededError(resolution.missing);
    const { resolved, unset, variables, sandbox, secrets } = resolution;
    trust.saw(key, variables);
    if (trust.verdict(key, launch).kind !== 'trusted') throw new UnapprovedVariablesError(variables);
    if (unset.length > 0)
      log.warn(`hosted server ${name}: environment variables not set: ${unset.join(', ')}`);
    const reason = forbidden(name, resolved, vscode);
    if (reason) throw new UserError(reason);
    const { onNote, tools = [], ...client } = options;
    const hide = hider(secrets);
    if (resolved.type !== 'stdio')
      return connectRemote(resolved, { ...client, hide, tools, authorization: signIns.for(key, resolved) });
    const note = keptBackNote(resolved.env, machine, syntax);
    if (note) onNote?.(note);
    const connect = (command: ProcessCommand) => connectStdio(command, { ...client, hide });
    return sandbox ? inSandbox(resolved, sandbox.settings, sandbox.means, connect) : connect(resolved);
  }

  /** What the user sees of this machine before they approve a server: the verdict judges it from now on. @param key from `serverKey` */
  async look({ source, inputs, syntax, found }: UsableServer, key: string): Promise<LaunchDetails> {
    const { launch } = found.definition;
    const seen = await lookAt({ key, launch, inputs, syntax }, await this.#machine({ source }, key));
    this.#needs.trust.saw(key, seen.variables);
    return seen;
  }

  async #machine({ source }: Pick<UsableServer, 'source'>, key: string): Promise<LaunchMachine> {
    const { shim, secrets, vscode } = this.#needs;
    const place = startPlace(source, vscode.workspace);
    return {
      ...place,
      env: process.env,
      programDirectories: await findProgramDirectories(place.home, place.platform),
      shim,
      appRoot: vscode.env.appRoot,
      secrets: secrets.of(key),
      l10n: vscode.l10n,
      readEnvFile: async (path) => {
        const bytes = await readSmallFile(path, ENV_FILE_BYTES);
        if (!bytes) throw new UserError(`envFile: ${path} does not exist.`);
        return bytes.toString('utf8').replace(/^\ufeff/, '');
      },
    };
  }
}

/** What a definition's paths are relative to. */
export function startPlace(
  source: ServerSource,
  workspace: Pick<typeof vscode.workspace, 'workspaceFolders'>,
): Pick<LaunchMachine, 'folder' | 'folders' | 'home' | 'platform' | 'directory'> {
  const folders = localFolders(workspace);
  const home = homedir();
  return {
    folder: source.kind === 'folder' ? source.folder : folders[0],
    folders,
    home,
    platform: process.platform,
    directory: directoryOf(source, home),
  };
}

export const localFolders = ({
  workspaceFolders = [],
}: Pick<typeof vscode.workspace, 'workspaceFolders'>): Folder[] =>
  workspaceFolders
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath }));
