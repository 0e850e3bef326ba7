import { homedir } from 'node:os';
import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { readSmallFile } from '../../disk/smallFile.ts';
import type { Log } from '../../util/log.ts';
import { forbidden, hostingOff } from '../config/administration.ts';
import type { ServerDefinition } from '../config/definition.ts';
import type { Input } from '../config/inputs.ts';
import { findProgramDirectories } from '../config/resolve/programDirectories.ts';
import { type Machine, resolveLaunch } from '../config/resolve/resolveLaunch.ts';
import type { Folder } from '../config/resolve/variables.ts';
import type { FoundServer } from '../config/sources.ts';
import { serverKey, type Trust } from '../config/trust.ts';
import { connectStdio, type HostedConnection, type StdioOptions } from '../connection/connectStdio.ts';

/** Most bytes of an `envFile`. */
const MOST_BYTES = 1024 * 1024;

/** A definition that can be started. */
export type UsableServer = FoundServer & { found: { definition: ServerDefinition } };

export interface LauncherParts {
  vscode: Pick<typeof vscode, 'workspace' | 'l10n'>;
  trust: Trust;
  secrets: Pick<vscode.SecretStorage, 'get'>;
  /** The editor's environment. */
  env: NodeJS.ProcessEnv;
  /** Absolute path of our installed shim. */
  shim: string;
  log: Log;
}

/** A server cannot start before the user has entered these. */
export class InputNeededError extends UserError {
  readonly inputs: readonly Input[];
  constructor(inputs: readonly Input[]) {
    super(`It needs values that the user has not entered yet: ${inputs.map(({ id }) => id).join(', ')}.`);
    this.inputs = inputs;
  }
}

/** Starts servers, if the user, the workspace and the administrator allow it. Everything is checked again at each start. */
export class Launcher {
  readonly #parts: LauncherParts;

  constructor(parts: LauncherParts) {
    this.#parts = parts;
  }

  /** @param place as in `PlacedServer`. @throws UserError that says why it may not, or does not, start; CancelledError */
  async start(server: UsableServer, place: string, options: StdioOptions): Promise<HostedConnection> {
    const { vscode, trust, log } = this.#parts;
    const { workspace, l10n } = vscode;
    const { name, inputs, syntax, found } = server;
    const { launch } = found.definition;
    const isOff = hostingOff(workspace, l10n);
    if (isOff) throw new UserError(isOff);
    if (trust.verdict({ place, name }, launch).kind !== 'trusted')
      throw new UserError(
        'The user has not approved it. Ask them to approve it in the view of Workspace MCP.',
      );
    const key = serverKey({ place, name });
    const machine = await this.#machine(server);
    const resolution = await resolveLaunch({ key, launch, inputs, syntax }, machine, l10n);
    if ('missing' in resolution) throw new InputNeededError(resolution.missing);
    const { resolved, unset } = resolution;
    if (unset.length > 0)
      log.warn(`hosted server ${name}: environment variables not set: ${unset.join(', ')}`);
    const reason = forbidden(name, resolved, workspace, l10n);
    if (reason) throw new UserError(reason);
    if (resolved.type !== 'stdio') throw new UserError('Servers with a URL are not supported yet.');
    return connectStdio(resolved, options);
  }

  async #machine(server: UsableServer): Promise<Machine> {
    const { env, shim, secrets } = this.#parts;
    const folders = localFolders(this.#parts.vscode.workspace);
    const { source } = server;
    const home = homedir();
    return {
      folder: source.kind === 'folder' ? source.folder : folders[0],
      folders,
      home,
      env,
      platform: process.platform,
      programDirectories: await findProgramDirectories(home, process.platform),
      shim,
      secrets,
      readEnvFile: async (path) => {
        const bytes = await readSmallFile(path, MOST_BYTES);
        if (!bytes) throw new UserError(`envFile: ${path} does not exist.`);
        return bytes.toString('utf8').replace(/^\ufeff/, '');
      },
    };
  }
}

/** The workspace folders on this machine. */
export const localFolders = ({
  workspaceFolders = [],
}: Pick<typeof vscode.workspace, 'workspaceFolders'>): Folder[] =>
  workspaceFolders
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath }));
