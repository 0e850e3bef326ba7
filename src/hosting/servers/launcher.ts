import { homedir } from 'node:os';
import type * as vscode from 'vscode';
import { UserError } from '../../core/messages.ts';
import type { Shell } from '../../core/shell.ts';
import { readSmallFile } from '../../util/diskPaths.ts';
import type { Log } from '../../util/log.ts';
import { forbidden, hostingOff } from '../config/administration.ts';
import type { ServerDefinition, ServerInput } from '../config/definition.ts';
import { findProgramDirectories, keptBackNote } from '../config/resolve/environment.ts';
import type { ResolvedRemote } from '../config/resolve/resolved.ts';
import {
  type LaunchDetails,
  type LaunchMachine,
  lookAt,
  resolveLaunch,
} from '../config/resolve/resolveLaunch.ts';
import type { Folder } from '../config/resolve/variables.ts';
import { directoryOf, type FoundServer, type ServerSource } from '../config/sources.ts';
import type { Trust, TrustStore } from '../config/trust.ts';
import { connectStdio, type HostedConnection, type StdioOptions } from '../connection/connectStdio.ts';
import { NeedsUserError } from '../connection/negotiate.ts';
import { hider } from '../hide.ts';
import { Authorization } from '../remote/authorization.ts';
import { connectRemote, type RemoteOptions } from '../remote/connectRemote.ts';
import type { Questions } from './editorAnswers.ts';
import type { KeptSecrets } from './keptSecrets.ts';

/** Most bytes of an `envFile`: the user is shown what it sets. */
const MOST_BYTES = 64 * 1024;

export type UsableServer = FoundServer & { found: { definition: ServerDefinition } };

export interface StartOptions extends StdioOptions, Pick<RemoteOptions, 'tools'> {
  /** For the log of the server. */
  onNote?: (line: string) => void;
}

export interface HostingOptions {
  vscode: typeof vscode;
  /** VS Code's global state, that of the workspace, and its secret storage. */
  store: TrustStore;
  workspaceStore: Pick<vscode.Memento, 'get' | 'update'>;
  secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;
  /** Opens the user's browser, and makes addresses of this machine reachable from there. */
  openExternal(url: string): PromiseLike<unknown>;
  externalUrl(url: string): PromiseLike<string>;
  /** Absolute path of the extension's global storage; undefined if there is none. */
  globalStorage?: string | undefined;
  /** Absolute path of a file for the processes of this window, in a private directory. */
  processes: string;
  /** Absolute path of our installed shim. */
  shim: string;
  /** That command lines are quoted for. */
  shell: Shell;
  version: string;
  /** Asks the user what servers want to know; loaded with the first question. */
  questions(): Promise<Questions>;
  log: Log;
}

export interface LauncherParts extends Omit<HostingOptions, 'secrets'> {
  trust: Trust;
  secrets: KeptSecrets;
  /** Called when the state of a server changes, or anything that it offers. */
  onChange(): void;
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

/** The env file sets variables, or values of them, that the user has not approved. */
export class UnapprovedVariablesError extends NeedsUserError {
  /** Of the whole file, from `shownOfFile`. */
  readonly variables: readonly string[];
  constructor(variables: readonly string[]) {
    // Without names: agents may not read the file, and the rest of a broken value can look like a name.
    super(
      'Its env file sets variables, or values, that the user has not approved. Ask them to approve the server in the view of Workspace MCP.',
    );
    this.variables = variables;
  }
}

/** Starts servers, if the user, the workspace and the administrator allow it. Everything is checked again at each start. */
export class Launcher {
  readonly #parts: LauncherParts;
  readonly #signIns = new Map<string, { url: string; authorization: Authorization }>();

  constructor(parts: LauncherParts) {
    this.#parts = parts;
  }

  /** @param key from `serverKey`. @throws UserError that says why it may not, or does not, start; CancelledError */
  async start(server: UsableServer, key: string, options: StartOptions): Promise<HostedConnection> {
    const { vscode, trust, log } = this.#parts;
    const { workspace, l10n } = vscode;
    const { name, inputs, syntax, found } = server;
    const { launch } = found.definition;
    const isOff = hostingOff(workspace, l10n);
    if (isOff) throw new UserError(isOff);
    if (trust.verdict(key, launch).kind !== 'trusted')
      throw new UserError(
        'The user has not approved it. Ask them to approve it in the view of Workspace MCP.',
      );
    const machine = await this.#machine(server, key);
    const resolution = await resolveLaunch({ key, launch, inputs, syntax }, machine);
    if ('missing' in resolution) throw new InputNeededError(resolution.missing);
    const { resolved, unset, variables, secrets } = resolution;
    if (trust.unapproved(key, variables).length > 0) throw new UnapprovedVariablesError(variables);
    if (unset.length > 0)
      log.warn(`hosted server ${name}: environment variables not set: ${unset.join(', ')}`);
    const reason = forbidden(name, resolved, workspace, l10n);
    if (reason) throw new UserError(reason);
    const hide = hider(secrets);
    const { onNote, tools, ...client } = options;
    if (resolved.type === 'stdio') {
      const note = keptBackNote(resolved.env, machine, syntax);
      if (note) onNote?.(note);
      return connectStdio(resolved, { ...client, hide });
    }
    return connectRemote(resolved, {
      hide,
      ...client,
      ...(tools && { tools }),
      authorization: this.#signInOf(key, resolved),
    });
  }

  /** What the user sees of this machine before they approve a server. @param key from `serverKey` */
  async look(server: UsableServer, key: string): Promise<LaunchDetails> {
    const { inputs, syntax, found } = server;
    const { launch } = found.definition;
    return lookAt({ key, launch, inputs, syntax }, await this.#machine(server, key));
  }

  /** The sign-in at a remote server; undefined if it has not been connected to. @param key from `serverKey` */
  signIn(key: string): Authorization | undefined {
    return this.#signIns.get(key)?.authorization;
  }

  /** @param key from `serverKey` */
  async signOut(key: string): Promise<void> {
    const authorization = this.signIn(key);
    this.#signIns.delete(key);
    await authorization?.signOut();
  }

  /** One for each server, over all connections, unless its address changes. */
  #signInOf(key: string, server: ResolvedRemote): Authorization {
    const known = this.#signIns.get(key);
    if (known?.url === server.url.href) return known.authorization;
    const { vscode, secrets, openExternal, externalUrl, onChange } = this.#parts;
    const authorization = new Authorization({
      ...{ key, server, secrets: secrets.of(key), openExternal, externalUrl },
      clientName: 'Workspace MCP',
      l10n: vscode.l10n,
    });
    authorization.changed.listen(onChange);
    this.#signIns.set(key, { url: server.url.href, authorization });
    return authorization;
  }

  async #machine({ source }: UsableServer, key: string): Promise<LaunchMachine> {
    const { shim, secrets, vscode } = this.#parts;
    const place = startPlace(source, vscode.workspace);
    return {
      ...place,
      env: process.env,
      programDirectories: await findProgramDirectories(place.home, place.platform),
      shim,
      secrets: secrets.of(key),
      l10n: vscode.l10n,
      readEnvFile: async (path) => {
        const bytes = await readSmallFile(path, MOST_BYTES);
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
