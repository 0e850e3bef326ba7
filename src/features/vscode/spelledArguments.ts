import { isAbsolute } from 'node:path';
import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { isObject } from '../../core/json.ts';
import type { Context } from '../context.ts';

/** How agents spell VS Code's types in JSON, and how results show them. */
export const SPELLING =
  'Spell a Uri {"$uri": path}, a Position {"$position": [line, column]}, a Range {"$range": [line, column, endLine, endColumn]}, a Location {"$uri": path, "$range": […]}; lines and columns are 1-based.';

/** Texts that may name a file outside the workspace. */
const LEADS_OUT = /^file:|^~[\\/]|(^|[\\/])\.\.([\\/]|$)/i;

/** Deeper than that no command takes its arguments. */
const MOST_LEVELS = 50;

/** What VS Code opens or runs besides files of the workspace. */
const ADDRESS = /^(untitled|command|data|vscode[\w-]*):/i;

/** A value with VS Code's types in place of their spelling. @throws UserError if it names a file that is closed to the agent, NotFoundError */
export async function unspelled(value: unknown, ctx: Context, levels = MOST_LEVELS): Promise<unknown> {
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
