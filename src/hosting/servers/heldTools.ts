import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import type { FieldChange } from '../../core/fieldChanges.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { approvedPart, toolChanges, toolHash } from '../names/toolHash.ts';

/** VS Code's global state. */
type Store = Pick<vscode.Memento, 'get' | 'update'>;

/** Most UTF-16 units of JSON of what is remembered of one server: it may name other tools each time. */
const MOST = 8 * 1024 * 1024;

/**
 * What the tools of one server said of themselves when they were first seen after the server was approved. A tool that says something
 * else later is held back until the user has looked at the change: it may now ask a model for something the user never agreed to.
 */
export class HeldTools {
  readonly #store: Store;
  readonly #key: string;
  readonly #most: number;

  constructor(store: Store, serverKey: string, most = MOST) {
    this.#store = store;
    this.#key = `hosting.tools:${serverKey}`;
    this.#most = most;
  }

  /** Remembers tools that are new. @throws UserError if the server has named too many */
  async see(tools: readonly Fields[]): Promise<void> {
    const known = this.#known();
    const unknown = tools.filter(({ name }) => !Object.hasOwn(known, `${name}`));
    if (unknown.length > 0) await this.#remember(unknown);
  }

  /** What is different since the tool was first seen; undefined if nothing is. */
  changesOf(tool: Fields): FieldChange[] | undefined {
    const known = this.#known();
    if (!Object.hasOwn(known, `${tool.name}`)) return undefined;
    try {
      const before = fieldsOf(known[`${tool.name}`]);
      return toolHash(before) === toolHash(tool) ? undefined : toolChanges(before, tool);
    } catch {
      return []; // its schema nests too deep to compare
    }
  }

  /** The user has looked at the change and accepts it. */
  accept(tool: Fields): Promise<void> {
    return this.#remember([tool]);
  }

  /** Call it when the server is approved again, or no longer: its tools are then new too. */
  async forget(): Promise<void> {
    await this.#store.update(this.#key, undefined);
  }

  #known(): Fields {
    return this.#store.get<Fields>(this.#key) ?? {};
  }

  async #remember(tools: readonly Fields[]): Promise<void> {
    const more = Object.fromEntries(tools.map((tool) => [`${tool.name}`, approvedPart(tool)]));
    const all = { ...this.#known(), ...more };
    if (JSON.stringify(all).length > this.#most)
      throw new UserError(
        'It has listed more different tools since it was approved than are remembered (8 MB). Ask the user to remove it.',
      );
    await this.#store.update(this.#key, all);
  }
}
