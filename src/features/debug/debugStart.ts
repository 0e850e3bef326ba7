import type * as vscode from 'vscode';
import * as z from 'zod';
import type { PlannedAction } from '../../access/consent/types.ts';
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';
import { UserError } from '../../core/messages.ts';
import { clock } from '../../util/clock.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { testsWanted } from '../run/runTests.ts';
import { requireAskedAbout, savingFirst, unsavedNote } from '../run/savedFirst.ts';
import { defineTool, STARTS_PROGRAMS, text } from '../tool.ts';
import { debuggeeText } from './stopText.ts';

const input = z.strictObject({
  name: args.query.min(1).optional().describe('Of a launch configuration or compound'),
  path: z.string().min(1).optional().describe('File to run, or with the test'),
  line: args.line.optional().describe('Where the test is'),
  configuration: z.record(z.string(), z.unknown()).optional().describe('As in launch.json'),
  stopOnEntry: z.boolean().default(false),
  noDebug: z.boolean().default(false),
  wait: args.wait(),
});
type Given = z.output<typeof input>;

export const debugStart = defineTool({
  name: 'debug_start',
  title: 'Start debugging',
  description:
    'Runs a launch configuration, file or test in the debugger of VS Code to a breakpoint (debug_breakpoints) or its end. Use it instead of print statements: returns frames, variables, output.',
  group: 'debug',
  needs: 'debuggers',
  operation: 'run',
  annotations: STARTS_PROGRAMS,
  hints: { search: 'debug a program, test or launch configuration; attach', alwaysLoad: true },
  input,
  async run(given, ctx, call) {
    const deadline = clock.now() + args.waitTime(given.wait);
    const left = () => Math.max(0, deadline - clock.now());
    const plan = await planOf(given, ctx, call.signal);
    const action: PlannedAction = { kind: 'debug', subject: plan.title, arguments: plan.shown };
    const asked = plan.saves ? savingFirst(action, plan.saves, ctx) : action;
    await call.approve(asked);
    if (plan.saves) requireAskedAbout(asked, plan.saves, call.isApproved, ctx);
    const author = ctx.author();
    const start = { author, name: plan.name, ms: left(), signal: call.signal };
    const debuggee = await ctx.debuggees.start(plan.begin, start);
    if (!debuggee)
      return text(
        'VS Code has not started it yet: it may be running a task first, or asking the user something. debug_state shows it once it has begun.',
      );
    await debuggee.waitForStop(0, left(), call.signal);
    return text(await debuggeeText(debuggee, ctx), unsavedNote(ctx));
  },
});

/** VS Code's number for the group of test profiles that debug. */
const DEBUG_GROUP = 4;

/** What is to be started, and what the user is asked about. */
interface Plan {
  title: string;
  shown: Record<string, unknown>;
  /** Of the configuration; undefined if VS Code may name the session otherwise. */
  name: string | undefined;
  /** As what VS Code saves all files first: it runs a task before, or tests. */
  saves?: 'task' | 'tests';
  begin(): PromiseLike<unknown>;
}

/** @throws UserError if it is not one thing, or not known */
async function planOf(given: Given, ctx: Context, signal: AbortSignal): Promise<Plan> {
  const { name, path, line, configuration } = given;
  const location = path === undefined ? undefined : await ctx.files.locateMeant(path);
  const folder = folderOf(location, ctx);
  if (name !== undefined && configuration) throw new UserError('Pass name or configuration, not both.');
  if (name !== undefined) return named(name, given, folder, ctx);
  if (configuration) {
    if (JSON.stringify(configuration).includes('${command:'))
      throw new UserError('configuration must not run commands of VS Code: write their values.');
    return configured(configuration, given, folder, ctx);
  }
  if (!location) throw new UserError(`Pass name, path or configuration. ${knownNames(ctx)}`);
  if (line !== undefined) return await ofTest(location, line, ctx, signal);
  return configured(await configurationFor(location, ctx), given, folder, ctx);
}

const folderOf = (location: Location | undefined, { vscode, files }: Context) =>
  (location && vscode.workspace.getWorkspaceFolder(location.uri)) ?? files.folders()[0];

/** Of launch.json in a folder, or of the workspace. */
const launchOf = (
  folder: vscode.WorkspaceFolder | undefined,
  { vscode }: Context,
  part: 'configurations' | 'compounds',
) => itemsOf(vscode.workspace.getConfiguration('launch', folder?.uri).get(part)).map(fieldsOf);

function named(name: string, given: Given, folder: vscode.WorkspaceFolder | undefined, ctx: Context): Plan {
  const folders = given.path === undefined ? ctx.files.folders() : folder ? [folder] : [];
  const isNamed = (one: Fields) => one.name === name;
  const found = folders.flatMap((of) =>
    launchOf(of, ctx, 'configurations')
      .filter(isNamed)
      .map((config) => ({ of, config })),
  );
  const [only, ...others] = found;
  if (others.some(({ config }) => JSON.stringify(config) !== JSON.stringify(only?.config)))
    throw new UserError(
      `Several folders have a configuration "${name}": pass path with a file in the folder meant.`,
    );
  if (only) return configured(only.config, given, only.of, ctx);
  const compound = folders.flatMap((of) =>
    launchOf(of, ctx, 'compounds')
      .filter(isNamed)
      .map((config) => ({ of, config })),
  )[0];
  if (!compound) throw new UserError(`There is no launch configuration "${name}". ${knownNames(ctx)}`);
  if (given.stopOnEntry)
    throw new UserError(`"${name}" is a compound: stopOnEntry is for one configuration.`);
  return compounded(name, compound.of, given, ctx);
}

/** VS Code reads it again by its name: it must be then what the user was shown. */
function compounded(name: string, folder: vscode.WorkspaceFolder, given: Given, ctx: Context): Plan {
  const read = () => {
    const compound = launchOf(folder, ctx, 'compounds').find((one) => one.name === name);
    const names = itemsOf(compound?.configurations).map((one) => fieldsOf(one).name ?? one);
    const all = ctx.files.folders().flatMap((one) => launchOf(one, ctx, 'configurations'));
    const missing = names.find((one) => !all.some((config) => config.name === one));
    // VS Code would start the others, and say that it has not.
    if (missing) throw new UserError(`"${name}" needs "${missing}". ${knownNames(ctx)}`);
    return { compound, configurations: all.filter((one) => names.includes(one.name)) };
  };
  const shown = read();
  return {
    ...{ title: name, name: undefined, saves: 'task' },
    shown: { ...shown, ...(given.noDebug && { noDebug: true }) },
    begin: async () => {
      if (JSON.stringify(read()) !== JSON.stringify(shown))
        throw new UserError('launch.json has changed since the user was asked. Start it again.');
      return await ctx.vscode.debug.startDebugging(folder, name, optionsOf(given));
    },
  };
}

function configured(
  { ...config }: Fields,
  given: Given,
  folder: vscode.WorkspaceFolder | undefined,
  { vscode, files }: Context,
): Plan {
  if (typeof config.type !== 'string')
    throw new UserError('configuration needs a type, such as "node" or "debugpy".');
  const program = files.redactor.text(String(config.program ?? config.type));
  const name = typeof config.name === 'string' ? config.name : `Agent: ${program}`;
  // Else VS Code opens its panel with the first session.
  const usual = { request: 'launch', internalConsoleOptions: 'neverOpen' };
  const whole = { ...usual, ...config, name, ...(given.stopOnEntry && { stopOnEntry: true }) };
  return {
    ...{ title: name, name: name.includes('${') ? undefined : name },
    ...('preLaunchTask' in config && { saves: 'task' }),
    shown: {
      configuration: whole,
      ...(folder && { folder: folder.name }),
      ...(given.noDebug && { noDebug: true }),
    },
    begin: () =>
      vscode.debug.startDebugging(folder, whole as unknown as vscode.DebugConfiguration, optionsOf(given)),
  };
}

/** Nothing is saved, no view opens, and the debug toolbar shows the user what goes on. */
const optionsOf = ({ noDebug }: Given): vscode.DebugSessionOptions => ({
  noDebug,
  suppressSaveBeforeStart: true,
  suppressDebugView: true,
});

/** For the first debugger of the user's extensions that is for its language. @throws UserError if there is none */
async function configurationFor(location: Location, ctx: Context): Promise<Fields> {
  const { languageId } = await ctx.files.loadDocument(location);
  const all = ctx.vscode.extensions.all.flatMap(({ packageJSON }) =>
    itemsOf(fieldsOf(fieldsOf(packageJSON).contributes).debuggers).map(fieldsOf),
  );
  const fit = all.find(({ languages }) => itemsOf(languages).includes(languageId));
  if (!fit)
    throw new UserError(
      `No debugger in VS Code is for files of the language ${languageId}. ${knownNames(ctx)} Or pass configuration.`,
    );
  const { path, uri } = location;
  return { type: fit.type, name: `Agent: ${path}`, program: uri.fsPath, console: 'internalConsole' };
}

async function ofTest(location: Location, line: number, ctx: Context, signal: AbortSignal): Promise<Plan> {
  const ids = (await testsWanted(location, { line }, ctx, signal)) ?? [];
  const { commands } = ctx.vscode;
  return {
    ...{ title: `${location.path}:${line}`, name: undefined, saves: 'tests' },
    shown: { test: `${location.path}:${line}` },
    begin: () => commands.executeCommand('vscode.runTestsById', DEBUG_GROUP, ...ids),
  };
}

function knownNames(ctx: Context): string {
  const parts = ['configurations', 'compounds'] as const;
  const known = parts.flatMap((part) => ctx.files.folders().flatMap((folder) => launchOf(folder, ctx, part)));
  const names = [...new Set(known.map(({ name }) => `"${String(name)}"`))];
  return names.length === 0 ? 'No launch.json has one.' : `launch.json has: ${names.join(', ')}.`;
}
