import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';
import { MARK, type StartedAs } from '../../services/debug/debuggee.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { openValue } from '../settingFiles.ts';
import { type Plan, planned } from './launchPlan.ts';

/** What a call says of a configuration. */
interface Given {
  path?: string | undefined;
  stopOnEntry: boolean;
  noDebug: boolean;
}

/** Entries of launch.json in a folder, or of the workspace, as far as the agent may see it. */
const launchOf = (
  folder: vscode.WorkspaceFolder | undefined,
  ctx: Context,
  part: 'configurations' | 'compounds',
) => itemsOf(openValue(`launch.${part}`, folder, ctx)).map(fieldsOf);

export async function named(
  name: string,
  given: Given,
  folder: vscode.WorkspaceFolder | undefined,
  ctx: Context,
): Promise<Plan> {
  const folders = given.path === undefined ? ctx.files.folders() : folder ? [folder] : [];
  const allIn = (part: 'configurations' | 'compounds') =>
    folders.flatMap((of) =>
      launchOf(of, ctx, part)
        .filter((one) => one.name === name)
        .map((config) => ({ of, config })),
    );
  const [only, ...others] = allIn('configurations');
  if (others.some(({ config }) => JSON.stringify(config) !== JSON.stringify(only?.config)))
    throw new UserError(
      `Several folders have a configuration "${name}": pass path with a file in the folder meant.`,
    );
  if (only) return planned([configured(only.config, given, only.of, ctx)], ctx);
  const [compound] = allIn('compounds');
  if (!compound) throw new UserError(`There is no launch configuration "${name}". ${knownNames(ctx)}`);
  const plan = await planned(partsOf(compound, name, given, ctx), ctx);
  return { ...plan, title: name, shown: { compound: name, ...plan.shown } };
}

/** @throws UserError if it needs what is not known, or what only VS Code can do */
function partsOf(
  { config, of }: { config: Fields; of: vscode.WorkspaceFolder },
  name: string,
  given: Given,
  ctx: Context,
): StartedAs[] {
  if (given.stopOnEntry)
    throw new UserError(`"${name}" is a compound: stopOnEntry is for one configuration.`);
  if (config.preLaunchTask)
    throw new UserError(
      `"${name}" has a preLaunchTask for all: call run_task with ${JSON.stringify(config.preLaunchTask)}, then debug_start for each configuration.`,
    );
  return itemsOf(config.configurations).map((one) => partOf(one, { name, of, given }, ctx));
}

/** A configuration of a compound, by its name, or by that and the name of its folder. @throws UserError if it is not known */
function partOf(
  part: unknown,
  { name, of, given }: { name: string; of: vscode.WorkspaceFolder; given: Given },
  ctx: Context,
): StartedAs {
  const { name: wanted = part, folder } = fieldsOf(part);
  const all = ctx.files.folders();
  const folders = folder === undefined ? [of, ...all] : all.filter((one) => one.name === folder);
  for (const one of folders) {
    const config = launchOf(one, ctx, 'configurations').find((config) => config.name === wanted);
    if (config) return configured(config, given, one, ctx);
  }
  throw new UserError(`"${name}" needs "${String(wanted)}". ${knownNames(ctx)}`);
}

export function configured(
  { ...config }: Fields,
  given: Given,
  folder: vscode.WorkspaceFolder | undefined,
  ctx: Context,
): StartedAs {
  const { files } = ctx;
  if (typeof config.type !== 'string')
    throw new UserError('configuration needs a type, such as "node" or "debugpy".');
  const types = debuggersOf(ctx).map(({ type }) => String(type));
  // A remote extension host does not see debuggers on the user's machine.
  if (!types.includes(config.type) && ctx.vscode.env.remoteName === undefined)
    throw new UserError(
      `No debugger in VS Code has the type ${JSON.stringify(config.type)}. There are: ${[...new Set(types)].join(', ') || 'none'}.`,
    );
  if (JSON.stringify(config).includes(MARK))
    throw new UserError(`configuration must not have "${MARK}": it tells whose a session is.`);
  const program = files.redactor.text(String(config.program ?? config.type));
  const name = typeof config.name === 'string' ? config.name : `Agent: ${program}`;
  // Else VS Code opens its panel with the first session.
  const usual = { request: 'launch', internalConsoleOptions: 'neverOpen' };
  const whole = { ...usual, ...config, name, ...(given.stopOnEntry && { stopOnEntry: true }) };
  return { folder, configuration: whole as unknown as vscode.DebugConfiguration, options: optionsOf(given) };
}

/** Nothing is saved, no view opens, and the debug toolbar shows the user what goes on. */
const optionsOf = ({ noDebug }: Given): vscode.DebugSessionOptions => ({
  noDebug,
  suppressSaveBeforeStart: true,
  suppressDebugView: true,
});

const debuggersOf = ({ vscode }: Context): Fields[] =>
  vscode.extensions.all.flatMap(({ packageJSON }) =>
    itemsOf(fieldsOf(fieldsOf(packageJSON).contributes).debuggers).map(fieldsOf),
  );

/**
 * An agent's own configuration, by which it gets all that the program prints unless it says otherwise: some debuggers leave that to a
 * terminal, and that for JavaScript takes only what comes by `console`.
 */
export function withOutput(config: Fields, ctx: Context): Fields {
  const { configurationAttributes } = debuggersOf(ctx).find(({ type }) => type === config.type) ?? {};
  const { properties } = fieldsOf(fieldsOf(configurationAttributes).launch);
  const has = (name: string, value: string) =>
    itemsOf(fieldsOf(fieldsOf(properties)[name]).enum).includes(value);
  if (config.request === 'attach' || !has('console', INTERNAL)) return config;
  const console = config.console ?? INTERNAL;
  const takesAll = console === INTERNAL && has('outputCapture', 'std');
  return { console, ...(takesAll && { outputCapture: 'std' }), ...config };
}

/** The console of a program that has no terminal. */
const INTERNAL = 'internalConsole';

/** For the first debugger of the user's extensions that is for its language. @throws UserError if there is none */
export async function configurationFor(location: Location, ctx: Context): Promise<Fields> {
  const { languageId } = await ctx.files.loadDocument(location);
  const fit = debuggersOf(ctx).find(({ languages }) => itemsOf(languages).includes(languageId));
  if (!fit)
    throw new UserError(
      `No debugger in VS Code is for files of the language ${languageId}. ${knownNames(ctx)} Or pass configuration.`,
    );
  const { path, uri } = location;
  return { type: fit.type, name: `Agent: ${path}`, program: uri.fsPath, console: INTERNAL };
}

export function knownNames(ctx: Context): string {
  const parts = ['configurations', 'compounds'] as const;
  const known = parts.flatMap((part) => ctx.files.folders().flatMap((folder) => launchOf(folder, ctx, part)));
  const names = [...new Set(known.map(({ name }) => `"${String(name)}"`))];
  return names.length === 0
    ? 'No launch.json that you may read has one.'
    : `launch.json has: ${names.join(', ')}.`;
}
