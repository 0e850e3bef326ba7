/** Variables in tasks and launch configurations: VS Code replaces them when it runs, by settings and by results of its commands. */
import type * as vscode from 'vscode';
import { UserError } from '../core/errors.ts';
import { type Fields, fieldsOf, itemsOf, textsIn } from '../core/json.ts';
import { refusedCommand } from '../core/refusedCommands.ts';
import { visible } from '../core/text/visible.ts';
import type { Context } from './context.ts';
import { knownCommands } from './vscode/listCommands.ts';

type Section = 'launch' | 'tasks';

const SETTING = /\$\{config:([^{}]+)\}/g;
const COMMAND = /\$\{(command|input):([^{}]+)\}/g;
/** One variable in another: which one that is, is not known before. */
const NESTED = /\$\{(?:\$\{|(?:config|command|input):[^}]*\$\{)/;
/** A setting may name another one. */
const MOST_ROUNDS = 10;

/** A JSON value with those of settings in their places: the user sees what will run, and a change of a setting is a change. */
export function withSettings<T>(value: T, folder: vscode.Uri | undefined, ctx: Context): T {
  const settings = ctx.vscode.workspace.getConfiguration(undefined, folder ?? null);
  const settingOr = (whole: string, name: string): string => {
    const found = settings.get<unknown>(name);
    return ['string', 'number', 'boolean'].includes(typeof found) ? String(found) : whole;
  };
  const replaced = (text: string): string => {
    let now = text;
    for (let round = 0; round < MOST_ROUNDS && now.includes('${config:'); round++)
      now = now.replaceAll(SETTING, settingOr);
    return now;
  };
  return mapped(value, replaced) as T;
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapped(item, change)]));
}

/**
 * The commands of VS Code that run to replace variables: named, or by an input.
 *
 * @param value as `withSettings` gives it
 * @throws UserError if agents may not execute one
 */
export async function commandsIn(
  value: unknown,
  section: Section,
  folder: vscode.Uri | undefined,
  ctx: Context,
): Promise<string[]> {
  const texts = [...textsIn(value).map(([, text]) => text), ...keysIn(value)];
  if (texts.some((text) => NESTED.test(text)))
    throw new UserError('It has a variable within a variable. Ask the user to start it.');
  const named = texts.flatMap((text) => [...text.matchAll(COMMAND)]);
  const ids = named.flatMap(([, kind, name = '']) =>
    kind === 'command' ? name : commandsOfInput(name, section, folder, ctx),
  );
  if (ids.length === 0) return [];
  const known = await knownCommands(ctx.vscode);
  for (const id of ids) {
    const why = known.has(id) ? known.get(id)?.refused : refusedCommand(id, true); // VS Code lists no internal ones
    if (why)
      throw new UserError(
        `It runs the command ${visible(id)} to replace a variable: ${why}. Ask the user to start it.`,
      );
  }
  return [...new Set(ids)];
}

const keysIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => [key, ...keysIn(item)])
    : [];

/** Commands of an input at all levels: VS Code takes the nearest input of that name. */
function commandsOfInput(
  id: string,
  section: Section,
  folder: vscode.Uri | undefined,
  { vscode }: Context,
): string[] {
  const inspected = vscode.workspace.getConfiguration(section, folder ?? null).inspect('inputs');
  const all = Object.values(fieldsOf(inspected))
    .flatMap((level) => itemsOf(level))
    .map(fieldsOf);
  return all
    .filter((input) => input.id === id && input.type === 'command')
    .map(({ command }: Fields) => String(command));
}
