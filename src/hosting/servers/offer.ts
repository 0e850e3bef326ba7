import type { ProtocolEra } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import { attempt, UserError } from '../../core/errors.ts';
import { type FieldChange, fieldChanges, fieldTexts } from '../../core/fieldChanges.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { Emitter } from '../../util/events.ts';
import { globMatchers } from '../../util/glob.ts';
import type { ServerOptions } from '../config/definition.ts';
import type { HostedClient } from '../connection/client.ts';
import { readCatalogue, type ServerCatalogue } from './catalogue.ts';

/** What is kept of a server between windows. */
interface Kept {
  /** The definition that it belongs to. */
  hash: string;
  era: ProtocolEra;
  catalogue: ServerCatalogue;
}

/** One tool as agents may get it. */
export interface HostedTool {
  /** As the server lists it. */
  tool: Fields;
  /** What changed since the user approved it; it is held back then. */
  held?: readonly FieldChange[];
}

/** The server whose offer it is, with its options of now. */
interface OfferingServer {
  key: string;
  options: Pick<ServerOptions, 'tools'>;
}

/** Most UTF-16 units of JSON of what is remembered of the tools of one server: it may name other tools each time. */
const REMEMBERED_LENGTH = 8 * 1024 * 1024;

/**
 * What one server offers, as it last said, and which of its tools agents get. Kept between windows. What a tool says of itself is
 * remembered when it is first seen after the server was approved. One that says something else later is held back until the user has
 * looked at the change: it may now ask a model for something the user never agreed to.
 */
export class ServerOffer {
  /** When what agents get may have changed. */
  readonly changes = new Emitter();
  readonly #server: OfferingServer;
  readonly #hash: string;
  readonly #store: Pick<vscode.Memento, 'get' | 'update'>;
  #kept: Kept | undefined;
  #tools: readonly HostedTool[] | undefined;

  /** @param hash of its definition: another one may be another server */
  constructor(server: OfferingServer, hash: string, store: Pick<vscode.Memento, 'get' | 'update'>) {
    this.#server = server;
    this.#hash = hash;
    this.#store = store;
    const kept = store.get<Kept>(this.#as('catalogue'));
    if (kept?.hash === hash) this.#kept = kept;
  }

  /** Undefined if the server never ran. */
  get catalogue(): ServerCatalogue | undefined {
    return this.#kept?.catalogue;
  }

  get era(): ProtocolEra | undefined {
    return this.#kept?.era;
  }

  /** Without those that the definition or the user leaves out. The same list until something changes. */
  get tools(): readonly HostedTool[] {
    this.#tools ??= this.#judged();
    return this.#tools;
  }

  /** Reads all lists of a server. @throws as `readCatalogue` does; UserError if the server has named too many tools */
  async read(client: HostedClient): Promise<void> {
    const catalogue = await readCatalogue(client);
    const known = this.#remembered;
    const unknown = catalogue.tools.filter(({ name }) => !Object.hasOwn(known, `${name}`));
    if (unknown.length > 0) await this.#remember(unknown);
    const kept = { hash: this.#hash, era: client.era, catalogue };
    if (JSON.stringify(kept) === JSON.stringify(this.#kept)) return;
    this.#kept = kept;
    await this.#store.update(this.#as('catalogue'), kept);
    this.changed();
  }

  /** Call it when the definition says something else of tools. */
  changed(): void {
    this.#tools = undefined;
    this.changes.fire();
  }

  /** Whether agents get a tool. For servers of files: those of the setting have `tools.deny`, which the user sees there. */
  async switchTool(name: string, isOn: boolean): Promise<void> {
    const others = this.#switchedOff.filter((one) => one !== name);
    await this.#store.update(this.#as('toolsOff'), isOn ? others : [...others, name]);
    this.changed();
  }

  /** The user has looked at a tool that changed, and accepts it. */
  async accept(tool: Fields): Promise<void> {
    await this.#remember([tool]);
    this.changed();
  }

  /** The user approves the server again, or no longer: what it says next of its tools counts. */
  async forgetTools(): Promise<void> {
    await this.#store.update(this.#as('tools'), undefined);
  }

  /** Where a part of it is kept. */
  #as(part: 'catalogue' | 'tools' | 'toolsOff'): string {
    return `hosting.${part}:${this.#server.key}`;
  }

  get #remembered(): Fields {
    return this.#store.get<Fields>(this.#as('tools')) ?? {};
  }

  async #remember(tools: readonly Fields[]): Promise<void> {
    const more = Object.fromEntries(tools.map((tool) => [`${tool.name}`, approvedPart(tool)]));
    const all = { ...this.#remembered, ...more };
    if (JSON.stringify(all).length > REMEMBERED_LENGTH)
      throw new UserError(
        'It has listed more different tools since it was approved than are remembered (8 MB). Ask the user to remove it.',
      );
    await this.#store.update(this.#as('tools'), all);
  }

  get #switchedOff(): readonly string[] {
    return this.#store.get<string[]>(this.#as('toolsOff')) ?? [];
  }

  #judged(): HostedTool[] {
    const { allow, deny } = this.#server.options.tools;
    const [allowed, denied] = [globMatchers(allow), globMatchers(deny)];
    /** By its own name, without the server's. */
    const isWanted = (name: string) =>
      allowed.some((matches) => matches(name)) && !denied.some((matches) => matches(name));
    const off = this.#switchedOff;
    const known = this.#remembered;
    return (this.catalogue?.tools ?? [])
      .filter(({ name }) => typeof name === 'string' && isWanted(name) && !off.includes(name))
      .map((tool) => {
        const name = `${tool.name}`;
        const held = Object.hasOwn(known, name) ? changesOf(fieldsOf(known[name]), tool) : undefined;
        return { tool, ...(held && { held }) };
      });
  }
}

/** The fields of a tool that tell a model what it does. Another value of one makes it another tool, which nobody has approved. */
const JUDGED_FIELDS = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** The part of a tool that an approval covers. */
const approvedPart = (tool: Fields): Fields =>
  Object.fromEntries(
    JUDGED_FIELDS.filter((field) => tool[field] !== undefined).map((field) => [field, tool[field]]),
  );

/**
 * What the server changed in what a tool says it is, by field; the order of fields does not matter.
 *
 * @throws RangeError if a schema nests thousands of levels deep
 */
export const toolChanges = (before: Fields, after: Fields): FieldChange[] =>
  fieldChanges(fieldTexts(approvedPart(before)), fieldTexts(approvedPart(after)));

/** What is different since a tool was remembered; undefined if nothing is. */
function changesOf(before: Fields, tool: Fields): FieldChange[] | undefined {
  const changes = attempt(() => toolChanges(before, tool));
  if (!changes) return []; // its schema nests too deep to compare
  return changes.length > 0 ? changes : undefined;
}
