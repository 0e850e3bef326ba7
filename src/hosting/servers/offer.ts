import type { ProtocolEra } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import type { FieldChange } from '../../core/fieldChanges.ts';
import type { Fields } from '../../core/json.ts';
import { Emitter } from '../../util/emitter.ts';
import type { HostingOptions } from '../config/definition.ts';
import { toolFilter } from '../config/toolFilter.ts';
import type { HostedClient } from '../connection/client.ts';
import { type Catalogue, readCatalogue } from './catalogue.ts';
import { HeldTools } from './heldTools.ts';

/** What is kept of a server between windows. */
interface Kept {
  /** The definition that it belongs to. */
  hash: string;
  era: ProtocolEra;
  catalogue: Catalogue;
}

/** One tool as agents may get it. */
export interface HostedTool {
  /** As the server lists it. */
  tool: Fields;
  /** What changed since the user approved it; it is held back then. */
  held?: readonly FieldChange[];
}

/** What one server offers, as it last said, and which of its tools agents get. Kept between windows. */
export class Offer {
  readonly #store: Pick<vscode.Memento, 'get' | 'update'>;
  readonly #key: string;
  readonly #hash: string;
  readonly #held: HeldTools;
  readonly #changed = new Emitter();
  #kept: Kept | undefined;
  #tools: readonly HostedTool[] | undefined;

  /** @param hash of its definition: another one may be another server */
  constructor(store: Pick<vscode.Memento, 'get' | 'update'>, serverKey: string, hash: string) {
    this.#store = store;
    this.#key = serverKey;
    this.#hash = hash;
    this.#held = new HeldTools(store, serverKey);
    const kept = store.get<Kept>(this.#keptAs);
    if (kept?.hash === hash) this.#kept = kept;
  }

  /** Undefined if the server never ran. */
  get catalogue(): Catalogue | undefined {
    return this.#kept?.catalogue;
  }

  /** The protocol era that it spoke. */
  get era(): ProtocolEra | undefined {
    return this.#kept?.era;
  }

  /** Without those that the definition or the user leaves out. The same list until something changes. */
  tools(options: HostingOptions): readonly HostedTool[] {
    this.#tools ??= this.#judged(options);
    return this.#tools;
  }

  /** Calls the listener when what agents get may have changed. */
  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changed.listen(listener);
  }

  /** Reads all lists of a server. @throws as `readCatalogue` does */
  async read(client: HostedClient): Promise<void> {
    const catalogue = await readCatalogue(client);
    await this.#held.see(catalogue.tools);
    const kept = { hash: this.#hash, era: client.era, catalogue };
    const isNew = JSON.stringify(kept) !== JSON.stringify(this.#kept);
    if (!isNew) return;
    this.#kept = kept;
    await this.#store.update(this.#keptAs, kept);
    this.changed();
  }

  /** Call it when the definition says something else of tools. */
  changed(): void {
    this.#tools = undefined;
    this.#changed.fire();
  }

  /** Whether agents get a tool. For servers of files: those of the setting have `tools.deny`, which the user sees there. */
  async switchTool(name: string, isOn: boolean): Promise<void> {
    const others = this.#switchedOff.filter((one) => one !== name);
    await this.#store.update(this.#switchedOffAs, isOn ? others : [...others, name]);
    this.changed();
  }

  /** The user accepts a tool that changed. */
  async accept(tool: Fields): Promise<void> {
    await this.#held.accept(tool);
    this.changed();
  }

  /** The user approves the server again, or no longer: what it says next of its tools counts. */
  async forgetTools(): Promise<void> {
    await this.#held.forget();
  }

  get #keptAs(): string {
    return `hosting.catalogue:${this.#key}`;
  }

  get #switchedOffAs(): string {
    return `hosting.toolsOff:${this.#key}`;
  }

  get #switchedOff(): readonly string[] {
    return this.#store.get<string[]>(this.#switchedOffAs) ?? [];
  }

  #judged(options: HostingOptions): HostedTool[] {
    const isWanted = toolFilter(options.tools);
    const off = this.#switchedOff;
    return (this.catalogue?.tools ?? [])
      .filter(({ name }) => typeof name === 'string' && isWanted(name) && !off.includes(name))
      .map((tool) => {
        const held = this.#held.changesOf(tool);
        return { tool, ...(held && { held }) };
      });
  }
}
