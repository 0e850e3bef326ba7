import { resolve } from 'node:path';
import { UserError } from '../../core/messages.ts';
import { isWithin } from '../../core/paths.ts';
import type { ServerInput, ServerOptions } from '../config/definition.ts';
import { inputKey, inputsUsed, type LaunchDetails } from '../config/resolve/resolveLaunch.ts';
import { type ServerSource, serverKey } from '../config/sources.ts';
import { changedParts, type Verdict } from '../config/trust.ts';
import type { StdioOptions } from '../connection/connectStdio.ts';
import type { Authorization } from '../remote/authorization.ts';
import type { ServerCatalogue } from './catalogue.ts';
import type { ServedAgent } from './editorAnswers.ts';
import type { Launcher, LauncherParts, UsableServer } from './launcher.ts';
import { type HostedTool, ServerOffer } from './offer.ts';

export interface HostedParts extends LauncherParts {
  launcher: Launcher;
  /** What every connection is opened with. */
  client: Pick<StdioOptions, 'clientInfo' | 'processes'>;
  /** Called when what agents get of a server may have changed. */
  onListsChange(): void;
}

/** Names of agents that read a folder's `.mcp.json` themselves. */
const READS_MCP_JSON = /claude.?code|copilot/i;

const isMcpJson = (source: ServerSource): source is Extract<ServerSource, { kind: 'folder' }> =>
  source.kind === 'folder' && source.file.endsWith('.mcp.json');

/** One server of the window as the user decides about it: its definition, its approval, and which of its tools agents get. */
export class DefinedServer {
  readonly name: string;
  /** URI of the workspace folder, or another one from `placeOf`. */
  readonly place: string;
  /** Short name of [a-z0-9-]. */
  readonly slug: string;
  /** From `serverKey`. */
  readonly key: string;
  readonly offer: ServerOffer;
  /** As it was found; another one after `redefine`. */
  server: UsableServer;
  options: ServerOptions;
  protected readonly parts: HostedParts;
  protected isHalted: boolean;
  /** Whether it was removed, or has another definition now. */
  protected isOver = false;
  /** Of its env file, as last read. */
  protected variables: readonly string[] = [];
  readonly #hash: string;
  #isForAll = true;

  /** @param hash from `launchHash` */
  constructor(server: UsableServer, place: string, slug: string, hash: string, parts: HostedParts) {
    this.server = server;
    this.options = this.#define(server);
    this.name = server.name;
    this.place = place;
    this.slug = slug;
    this.key = serverKey(place, server);
    this.parts = parts;
    this.isHalted = parts.workspaceStore.get(this.#haltedAs) === true;
    this.#hash = hash;
    this.offer = new ServerOffer(parts.store, this, hash, () => {
      parts.onListsChange();
      parts.onChange();
    });
  }

  /** Stands for the server as the user approved it last: what they allow of it is kept by it. */
  get grantKey(): string {
    return this.parts.trust.grantKey(this.key);
  }

  /** What the user has to decide; asked again before each start. */
  get verdict(): Verdict {
    return this.parts.trust.verdict(this.key, this.server.found.definition.launch, this.variables);
  }

  /** Why it may not run, if it may not. */
  get refusal(): 'off' | 'forbidden' | 'halted' | Exclude<Verdict['kind'], 'trusted'> | undefined {
    if (!this.options.enabled) return 'off';
    if (this.server.forbidden !== undefined) return 'forbidden';
    const { kind } = this.verdict;
    if (kind !== 'trusted') return kind;
    return this.isHalted ? 'halted' : undefined;
  }

  /** Which parts of its definition the user has not approved, if they approved another one. */
  get changedParts(): readonly string[] {
    return changedParts(this.verdict);
  }

  /** The sign-in at a remote server; undefined if it was not connected to yet. */
  get signIn(): Authorization | undefined {
    return this.parts.launcher.signIn(this.key);
  }

  /**
   * Whether agents may use it now. The approval is asked for each time: another window may have taken it back.
   *
   * @param agent whether this one may
   */
  isUsable(agent?: () => ServedAgent): boolean {
    const isOn = this.options.enabled && this.server.forbidden === undefined;
    if (!isOn || this.isHalted || this.isOver) return false;
    if (agent && !this.#isForAll && !this.isFor(agent)) return false;
    return this.parts.trust.isTrusted(this.key, this.#hash, this.variables);
  }

  /** Whether its definition is meant for the agent. */
  isFor(agent: () => ServedAgent): boolean {
    if (this.#isForAll) return true;
    const { agent: name, directory } = agent();
    const { agents } = this.options;
    const { source } = this.server;
    if (agents && !agents.some((one) => one.toLowerCase() === name.toLowerCase())) return false;
    if (!isMcpJson(source) || !READS_MCP_JSON.test(name)) return true;
    return (
      directory !== undefined && !isWithin(resolve(directory), resolve(source.folder.path), process.platform)
    );
  }

  /** What it last said; undefined if it never ran. */
  get catalogue(): ServerCatalogue | undefined {
    return this.offer.catalogue;
  }

  /** Its tools, without those that its definition leaves out. */
  get tools(): readonly HostedTool[] {
    return this.offer.tools;
  }

  /** What its definition asks the user for. */
  get inputs(): readonly ServerInput[] {
    const { inputs, syntax, found } = this.server;
    return inputsUsed({ inputs, syntax, launch: found.definition.launch });
  }

  /** What the user sees of this machine before they approve it. The verdict judges the variables of its env file from now on. */
  async look(): Promise<LaunchDetails> {
    const seen = await this.parts.launcher.look(this.server, this.key);
    this.variables = seen.variables;
    return seen;
  }

  /** The user approves what they were shown. @param variables of its env file; by default those that it sets now */
  async approve(launch = this.server.found.definition.launch, variables?: readonly string[]): Promise<void> {
    const approved = variables ?? (await this.look()).variables;
    await this.offer.forgetTools();
    await this.parts.trust.approve(this.key, launch, approved);
    this.offer.changed();
  }

  /** Keeps the value of an input, in VS Code's secret storage. */
  async enter(input: string, value: string): Promise<void> {
    await this.parts.secrets.of(this.key).store(inputKey(this.key, input), value);
  }

  /** Forgets all that the user ever entered for it, their sign-in, and what its tools were when it was approved. */
  async forget(): Promise<void> {
    const { launcher, secrets } = this.parts;
    await this.offer.forgetTools();
    await launcher.signOut(this.key);
    await secrets.forget(this.key);
    await this.setHalted(false);
  }

  /** Takes over what the definition now says about tools and agents. @param server the same otherwise */
  redefine(server: UsableServer): void {
    this.server = server;
    this.options = this.#define(server);
    this.offer.changed();
  }

  get #haltedAs(): string {
    return `hosting.halted:${this.key}`;
  }

  #define({ source, found }: UsableServer): ServerOptions {
    const { options } = found.definition;
    this.#isForAll = !options.agents && !isMcpJson(source);
    return options;
  }

  protected async setHalted(isHalted: boolean): Promise<void> {
    if (this.isHalted === isHalted) return;
    this.isHalted = isHalted;
    await this.parts.workspaceStore.update(this.#haltedAs, isHalted || undefined);
    this.offer.changed(); // agents get it no longer, or again
  }

  /** @param isHalted whether the user has stopped it and that counts. @throws UserError if it may not run */
  protected requireOn(isHalted = this.isHalted): void {
    if (!this.options.enabled) throw new UserError(`The user has switched off the server ${this.name}.`);
    if (this.server.forbidden !== undefined) throw new UserError(this.server.forbidden);
    if (isHalted)
      throw new UserError(
        `The user has stopped the server ${this.name}. Ask them to start it if you need it.`,
      );
  }
}
