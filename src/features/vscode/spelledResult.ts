import type * as vscode from 'vscode';
import { attempt, unlessUserError } from '../../core/errors.ts';
import type { Context } from '../context.ts';

const MOST_VALUES = 10_000;
const MOST_LEVELS = 20;
/** Of all texts together, in UTF-16 units. */
const MOST_TEXT = 1_000_000;

/** Stands for a value that names a file that is closed to the agent. */
const CLOSED = Symbol('closed');
const LEFT_OUT = '…';

/** What a command has answered, as JSON values: VS Code's types as agents spell them, bounded, not redacted, without functions. */
export class SpelledResult {
  /** Items of lists that are left out, because they name files that are closed to the agent. */
  closed = 0;
  /** Whether values are left out, because there are too many. */
  isCut = false;
  readonly #ctx: Context;
  readonly #outer = new Set<unknown>();
  #left = MOST_VALUES;
  #room = MOST_TEXT;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** @returns undefined if nothing of it may be shown */
  async of(value: unknown): Promise<unknown> {
    const shown = await this.#shown(value).catch(unlessUserError(() => 'A result that cannot be shown.'));
    if (shown !== CLOSED) return shown;
    this.closed++;
    return undefined;
  }

  async #shown(value: unknown): Promise<unknown> {
    if (--this.#left < 0 || this.#outer.size >= MOST_LEVELS) {
      this.isCut = true;
      return LEFT_OUT;
    }
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'bigint') return `${value}`;
    if (typeof value === 'function' || typeof value === 'symbol') return undefined;
    if (typeof value !== 'object' || value === null) return value;
    if (this.#outer.has(value)) return '[circular]';
    this.#outer.add(value);
    const shown = await (this.#special(value) ?? this.#inner(value));
    this.#outer.delete(value);
    return shown;
  }

  #text(text: string): unknown {
    const uri = /^file:/i.test(text) ? attempt(() => this.#ctx.vscode.Uri.parse(text, true).fsPath) : text;
    // Programs outside the workspace are named in many answers; files in it have rules.
    const isPath = /^([a-z]:)?[\\/]/i.test(uri ?? '');
    const closed = isPath && this.#ctx.files.policy.closedAsNamed(uri ?? '');
    if (closed && closed.by !== 'outside') return CLOSED;
    this.#room -= text.length;
    if (this.#room >= 0) return text;
    this.isCut = true;
    return LEFT_OUT;
  }

  /** Undefined if it is none of VS Code's types. */
  #special(value: object): unknown {
    const { Uri, Position, Range } = this.#ctx.vscode;
    if (value instanceof Position) return { $position: numbersOf(value) };
    if (value instanceof Range) return { $range: [...numbersOf(value.start), ...numbersOf(value.end)] };
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    if (value instanceof Error) return this.#text(value.message);
    if (value instanceof Uri) return this.#uri(value);
    const { scheme, path } = value as Partial<vscode.Uri>;
    if (typeof scheme !== 'string' || typeof path !== 'string') return undefined;
    return this.#uri(Uri.from({ ...(value as vscode.Uri), scheme, path }));
  }

  async #uri(uri: vscode.Uri): Promise<unknown> {
    if (/^(https?|mailto)$/.test(uri.scheme)) return { $uri: this.#text(uri.toString()) };
    const location = await this.#ctx.files.permitted(uri);
    return location ? { $uri: location.path } : CLOSED;
  }

  async #inner(value: object): Promise<unknown> {
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return this.#shown(toJSON.call(value));
    if (Array.isArray(value)) return this.#list(value.slice(0, this.#left + 1));
    if (value instanceof Map || value instanceof Set) return this.#list([...value].slice(0, this.#left + 1));
    const shown: [unknown, unknown][] = [];
    for (const [name, one] of Object.entries(value)) {
      if (name.startsWith('_')) continue; // not for others
      const entry = [this.#text(name), await this.#shown(one)] as const;
      if (entry.includes(CLOSED)) return CLOSED;
      shown.push([...entry]);
    }
    return Object.fromEntries(shown);
  }

  /** Without the items that are closed. Of a tuple, such as a Uri and its problems, they close all of it. */
  async #list(items: readonly unknown[]): Promise<unknown> {
    const shown: unknown[] = [];
    for (const item of items) shown.push((await this.#shown(item)) ?? null);
    const isTuple = new Set(items.map((item) => isUriLike(item))).size > 1;
    const closed = shown.filter((one) => one === CLOSED).length;
    if (closed > 0 && isTuple) return CLOSED;
    this.closed += closed;
    return shown.filter((one) => one !== CLOSED);
  }
}

const isUriLike = (item: unknown): boolean =>
  typeof item === 'string' || typeof (item as Partial<vscode.Uri> | null)?.scheme === 'string';

/** 1-based, as in all tools. */
const numbersOf = ({ line, character }: vscode.Position): [number, number] => [line + 1, character + 1];
