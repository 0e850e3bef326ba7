import type * as vscode from 'vscode';
import type { ConnectedAgent } from '../../core/connectedAgent.ts';
import { UserError } from '../../core/errors.ts';
import { isWithin } from '../../core/paths.ts';
import { realPathOf } from '../../util/diskPaths.ts';
import type { ServerInput, ServerOptions } from '../config/definition.ts';
import type { KeptSecrets } from '../config/keptSecrets.ts';
import { inputKey, inputsUsed, type LaunchDetails } from '../config/resolve/resolveLaunch.ts';
import { type ServerSource, serverKey, type UsableServer } from '../config/sources.ts';
import { changedParts, launchHash, type Trust, type Verdict } from '../config/trust.ts';
import type { HostedClient } from '../connection/client.ts';
import type { Authorization } from '../remote/authorization.ts';
import type { SignIns } from '../remote/signIns.ts';
import type { ServerCatalogue } from './catalogue.ts';
import type { Launcher } from './launcher.ts';
import { ServerOffer } from './offer.ts';
import { type Questions, ServerQuestions } from './questions.ts';
import { type ProcessState, removed, type UseOptions } from './serverProcess.ts';
import { type ProcessesNeeds, ServerProcesses } from './serverProcesses.ts';
import { type Refusal, whyRefused } from './whyRefused.ts';

export type HostedState = Refusal | ProcessState;

export interface HostedNeeds extends ProcessesNeeds {
  vscode: typeof vscode;
  launcher: Launcher;
  trust: Trust;
  secrets: KeptSecrets;
  signIns: SignIns;
  /** VS Code's global state, and that of the workspace. */
  store: Pick<vscode.Memento, 'get' | 'update'>;
  workspaceStore: Pick<vscode.Memento, 'get' | 'update'>;
  questions(): Promise<Questions>;
  /** Called when what agents get of a server may have changed. */
  onListsChange(): void;
}

/** Names of agents that read a folder's `.mcp.json` themselves. */
const READS_MCP_JSON = /claude.?code|copilot/i;

const isMcpJson = (source: ServerSource): source is Extract<ServerSource, { kind: 'folder' }> =>
  source.kind === 'folder' && source.file.endsWith('.mcp.json');

/** One server of the window: its definition, what the user decided about it, what it offers and asks, and its processes. */
export class Hosted {
  /** URI of the workspace folder, or another one from `trustPlace`. */
  readonly place: string;
  /** Short name of [a-z0-9-]. */
  readonly slug: string;
  /** From `serverKey`. */
  readonly key: string;
  readonly offer: ServerOffer;
  readonly questions: ServerQuestions;
  readonly processes: ServerProcesses;
  /** As it was found; another one after `redefine`. */
  config: UsableServer;
  /** Whether agents have used it in this window. */
  isUsed = false;
  readonly #needs: HostedNeeds;
  #isHalted: boolean;

  constructor(config: UsableServer, { place, slug }: Pick<Hosted, 'place' | 'slug'>, needs: HostedNeeds) {
    this.config = config;
    this.place = place;
    this.slug = slug;
    this.key = serverKey(place, config);
    this.#needs = needs;
    this.#isHalted = needs.workspaceStore.get(this.#haltedAs) === true;
    this.offer = new ServerOffer(this, launchHash(config.found.definition.launch), needs.store);
    this.offer.changes.listen(() => {
      needs.onListsChange();
      needs.onChange();
    });
    this.questions = new ServerQuestions(this, needs);
    this.processes = new ServerProcesses(this, needs);
  }

  get name(): string {
    return this.config.name;
  }

  get options(): ServerOptions {
    return this.config.found.definition.options;
  }

  /** Stands for the server as the user approved it last: what they allow of it is kept by it. */
  get grantKey(): string {
    return this.#needs.trust.grantKey(this.key);
  }

  /** What the user has to decide; asked again before each start. */
  get verdict(): Verdict {
    return this.#needs.trust.verdict(this.key, this.config.found.definition.launch);
  }

  /** Undefined if it may run. The approval is asked for each time: another window may have taken it back. */
  get refusal(): Refusal | undefined {
    if (!this.options.enabled) return 'off';
    if (this.config.forbidden !== undefined) return 'forbidden';
    const { kind } = this.verdict;
    if (kind !== 'trusted') return kind;
    return this.#isHalted ? 'halted' : undefined;
  }

  get state(): HostedState {
    return this.refusal ?? this.processes.state;
  }

  /** Why it is forbidden, or failed last. It may hold secrets. */
  get problem(): string | undefined {
    return this.config.forbidden ?? this.processes.lastError;
  }

  /** What the user has to enter before it starts. */
  get missingInputs(): readonly ServerInput[] {
    return this.processes.missingInputs;
  }

  /** Which parts of its definition the user has not approved, if they approved another one. */
  get changedParts(): readonly string[] {
    return changedParts(this.verdict);
  }

  /** The sign-in at a remote server; undefined if it was not connected to yet. */
  get signIn(): Authorization | undefined {
    return this.#needs.signIns.get(this.key);
  }

  /** What it last said; undefined if it never ran. */
  get catalogue(): ServerCatalogue | undefined {
    return this.offer.catalogue;
  }

  /** What its definition asks the user for. */
  get inputs(): readonly ServerInput[] {
    const { inputs, syntax, found } = this.config;
    return inputsUsed({ inputs, syntax, launch: found.definition.launch });
  }

  /** Whether agents may use it now. @param agent whether this one may */
  isUsable(agent?: () => ConnectedAgent): boolean {
    return !this.processes.isOver && this.refusal === undefined && (!agent || this.isFor(agent));
  }

  /** Whether its definition is meant for the agent. */
  isFor(agent: () => ConnectedAgent): boolean {
    const { agents } = this.options;
    const { source } = this.config;
    if (!agents && !isMcpJson(source)) return true;
    const { agent: name, directory } = agent();
    if (agents && !agents.some((one) => one.toLowerCase() === name.toLowerCase())) return false;
    if (!isMcpJson(source) || !READS_MCP_JSON.test(name)) return true;
    if (directory === undefined) return false;
    return !isWithin(realPathOf(directory), realPathOf(source.folder.path), process.platform);
  }

  /** Runs something with the client of the agent's process, as `ServerProcess.withClient`. @throws UserError also if it may not run */
  async withClient<T>(
    agent: ConnectedAgent,
    run: (client: HostedClient) => Promise<T>,
    options: UseOptions = {},
  ): Promise<T> {
    this.#requireOn();
    this.isUsed = true;
    return this.questions.trackRequest(agent, this.processes.of(agent.id).withClient(run, options));
  }

  /** As `ServerProcess.follow`: the server is started for it, and runs as long. @param agent id. @throws UserError after `dispose` */
  follow(agent: number, uri: string, onChange: () => void): () => void {
    this.isUsed = true;
    return this.processes.of(agent).follow(uri, onChange);
  }

  async restart(): Promise<void> {
    this.#requireOn('halted');
    await this.#setHalted(false);
    await this.processes.of().restart();
  }

  /** The user stops it: in this workspace only `restart` starts it again. */
  async halt(): Promise<void> {
    await this.#setHalted(true);
    await this.processes.stop();
  }

  /** What the user sees of this machine before they approve it. */
  look(): Promise<LaunchDetails> {
    return this.#needs.launcher.look(this.config, this.key);
  }

  /** The user approves what they were shown. @param variables of its env file; by default those that it sets now */
  async trust(launch = this.config.found.definition.launch, variables?: readonly string[]): Promise<void> {
    const approved = variables ?? (await this.look()).variables;
    await this.offer.forgetTools();
    await this.#needs.trust.record(this.key, launch, approved);
    this.offer.changed();
  }

  /** Keeps the value of an input, in VS Code's secret storage. */
  async enter(input: string, value: string): Promise<void> {
    await this.#needs.secrets.of(this.key).store(inputKey(this.key, input), value);
  }

  /** Forgets all that the user ever entered for it, their sign-in, and what its tools were when it was approved. */
  async forget(): Promise<void> {
    const { signIns, secrets } = this.#needs;
    await this.offer.forgetTools();
    await signIns.signOut(this.key);
    await secrets.forget(this.key);
    await this.#setHalted(false);
  }

  /** Takes over what the definition now says about tools and agents. @param config the same otherwise */
  redefine(config: UsableServer): void {
    this.config = config;
    this.offer.changed();
  }

  get #haltedAs(): string {
    return `hosting.halted:${this.key}`;
  }

  async #setHalted(isHalted: boolean): Promise<void> {
    if (this.#isHalted === isHalted) return;
    this.#isHalted = isHalted;
    await this.#needs.workspaceStore.update(this.#haltedAs, isHalted || undefined);
    this.offer.changed(); // agents get it no longer, or again
  }

  /** @param except what does not count. @throws UserError if it may not run, or was removed */
  #requireOn(except?: Refusal): void {
    const { refusal } = this;
    if (this.processes.isOver) throw removed(this.name);
    if (refusal !== undefined && refusal !== except) throw new UserError(whyRefused(this));
  }
}
