import { isAbsolute } from 'node:path';
import type * as vscode from 'vscode';
import { attempt, UserError, unlessUserError } from '../../core/errors.ts';
import { isObject } from '../../core/json.ts';
import type { Context } from '../context.ts';

/** How agents spell VS Code's types in JSON, and how results show them. */
export const SPELLING =
  'Spell a Uri {"$uri": path}, a Position {"$position": [line, column]}, a Range {"$range": [line, column, endLine, endColumn]}, a Location {"$uri": path, "$range": […]}; lines and columns are 1-based.';

/** Texts that may name a file outside the workspace. */
const LEADS_OUT = /^file:|^~[\\/]|(^|[\\/])\.\.([\\/]|$)/i;

/** Deeper than that no command takes its arguments. */
const MOST_NESTED = 50;

/** What VS Code opens or runs besides files of the workspace. */
const ADDRESS = /^(untitled|command|data|vscode[\w-]*):/i;

/** A value with VS Code's types in place of their spelling. @throws UserError if it names a file that is closed to the agent, NotFoundError */
export async function unspelled(value: unknown, ctx: Context, levels = MOST_NESTED): Promise<unknown> {
  if (levels === 0) throw new UserError('The arguments are nested too deeply.');
  const inner = (one: unknown) => unspelled(one, ctx, levels - 1);
  if (typeof value === 'string') await requireOpen(value.trim(), ctx);
  if (Array.isArray(value)) return Promise.all(value.map(inner));
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  if (names.some((name) => name.startsWith('$'))) return special(value, ctx);
  // VS Code takes such an object for a Uri, whatever file it names.
  if (names.includes('scheme') || names.includes('fsPath')) throw new UserError(SPELLING);
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => {
        await requireOpen(name.trim(), ctx);
        return [name, await inner(value[name])] as const;
      }),
    ),
  );
}

async function requireOpen(text: string, { files }: Context): Promise<void> {
  if (ADDRESS.test(text)) throw new UserError(`"${text}" is not allowed in arguments. ${SPELLING}`);
  if (isAbsolute(text) || LEADS_OUT.test(text)) await files.locate(text);
}

async function special(value: Record<string, unknown>, ctx: Context): Promise<unknown> {
  const { $uri, $position, $range, ...others } = value;
  const { Location, Position, Range } = ctx.vscode;
  const range = numbers($range, 4);
  const place = numbers($position, 2);
  const uri = typeof $uri === 'string' ? (await ctx.files.locate($uri)).uri : undefined;
  const known = { $uri: uri, $position: place, $range: range };
  const given = Object.keys(value) as (keyof typeof known)[];
  const isSpelled = Object.keys(others).length === 0 && given.every((name) => known[name] !== undefined);
  if (!isSpelled || (place && given.length > 1)) throw new UserError(SPELLING);
  if (place) return new Position(...(place as [number, number]));
  if (!range) return uri;
  const area = new Range(...(range as [number, number, number, number]));
  return uri ? new Location(uri as vscode.Uri, area) : area;
}

/** So many numbers, 0-based; undefined if they are not. */
function numbers(value: unknown, count: number): number[] | undefined {
  const isList =
    Array.isArray(value) && value.length === count && value.every((one) => Number.isInteger(one) && one > 0);
  return isList ? value.map((one: number) => one - 1) : undefined;
}

const MOST_VALUES = 10_000;
const MOST_LEVELS = 20;
/** UTF-16 units of all texts together. */
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
