import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { type AllowedCommand, runGrant } from '../../core/grants.ts';
import type { Fields } from '../../core/json.ts';
import { literalCommand } from '../../core/literalWords.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineTool, STARTS_PROGRAMS, text } from '../tool.ts';
import { runText } from './runText.ts';
import { unsavedNote } from './savedFirst.ts';
import { scriptsIn, scriptsNamed, scriptsRun } from './scripts.ts';
import { untilText, waitFor, waitForOwn } from './waiting.ts';

/** Longest line for a shell: VS Code types it, 50 characters at a time, and the user may type meanwhile. */
const LONGEST = 1_000;
/** Longest JSON of `env`, in UTF-16 units: the question shows all of it. */
const MOST_ENV = 10_000;
/** For the question. */
const OWN = 'Your own: it reads your profile, and the line as if you had typed it.';

export const runCommand = defineTool({
  name: 'run_command',
  title: 'Run command in VS Code',
  description:
    'Runs a shell command in a VS Code terminal that the user sees and can stop. Use it to build or to start programs. Returns exit code and output; after wait seconds it goes on as a run.',
  group: 'run',
  operation: 'run',
  asksFor: 'run',
  annotations: STARTS_PROGRAMS,
  hints: { search: 'run shell command in a visible terminal' },
  input: z.strictObject({
    command: z.string().trim().min(1).max(20_000).describe('For sh, or PowerShell'),
    cwd: z.string().default('.').describe('In a workspace folder'),
    env: z.record(z.string(), z.string()).default({}),
    userShell: z.boolean().default(false).describe('With their profile (nvm, venv); one line'),
    wait: args.wait(),
    until: untilText,
    maxCharacters: args.maxCharacters,
  }),
  async run({ command: line, cwd, env, userShell, maxCharacters, wait, until }, ctx, call) {
    requireWhole(line, env);
    if (userShell) requireTypeable(line, env);
    const directory = await directoryOf(cwd, ctx);
    ctx.agentRuns.requireRoom();
    // In the user's own shell words may be aliases and functions.
    const lasting = userShell ? undefined : await lastingCommand(line, directory, env, ctx);
    const scripts = lasting?.runs ?? (await scriptsNamed(line, directory, ctx));
    const recheck = () => requireSameScripts(line, directory, { lasting, scripts }, ctx);
    await call.approve({
      kind: 'run',
      subject: line.replaceAll('\n', ' ⏎ '),
      commandLine: line,
      recheck,
      arguments: {
        cwd: directory,
        ...(Object.keys(env).length > 0 && { env }),
        ...(userShell && { shell: OWN }),
        ...(scripts && { 'package.json': scripts }),
      },
      ...(lasting && { grant: runGrant(lasting.command) }),
    });
    const base = userShell ? {} : await ctx.agentRuns.environmentIn(directory);
    await recheck(); // an earlier answer may have allowed it, or another question's
    if ((await directoryOf(cwd, ctx)) !== directory)
      throw new UserError(
        'The folder of cwd has changed since the user was asked. Nothing ran. Call run_command again.',
      );
    const run = userShell
      ? ctx.agentRuns.startInUserShell({ line, cwd: directory }, ctx.author())
      : ctx.agentRuns.startCommand({ line, cwd: directory, env: { ...base, ...env } }, ctx.author());
    const missed = await waitFor(run, { until }, ctx, (isEnough) =>
      waitForOwn(run, wait, call, ctx, isEnough),
    );
    return text(runText(run, ctx, maxCharacters), missed, unsavedNote(ctx));
  },
});

/** @returns absolute, all links resolved: what is allowed of a folder is not of another one. @throws UserError if it is no folder on disk that the agent may see */
async function directoryOf(cwd: string, { files }: Context): Promise<string> {
  const names = files.folders().map(({ uri }) => files.displayPath(uri));
  if (/^\.?\/?$/.test(cwd) && names.length !== 1 && !files.place.now)
    throw new UserError(
      names.length === 0
        ? 'No folder is open in this window: pass cwd.'
        : `This window has several folders. Pass one of them as cwd: ${names.join(', ')}.`,
    );
  const location = await files.locateMeant(cwd || '.');
  const stat = await files.stat(location);
  if (!stat?.isFolder) throw new UserError(`${location.path} is not a folder.`);
  if (location.uri.scheme !== 'file')
    throw new UserError(`${location.path} is not on the disk of VS Code: nothing can run there.`);
  return location.realPath ?? location.uri.fsPath;
}

/** @throws UserError if the system would take less, or another variable, than what the question shows */
function requireWhole(line: string, env: object): void {
  const names = Object.keys(env);
  if (
    [line, ...names, ...Object.values(env)].some((one) => one.includes('\0')) ||
    names.some((one) => /^$|=/.test(one))
  )
    throw new UserError('No NUL characters, and no "=" in names of env. Nothing ran.');
  const { length } = JSON.stringify(env);
  if (length > MOST_ENV)
    throw new UserError(`env has ${length} characters of JSON; at most ${MOST_ENV}. Nothing ran.`);
}

/**
 * A shell's line editor takes control characters as commands (Tab completes), and in some locales all that is not ASCII.
 *
 * @throws UserError if another line than this one could run
 */
function requireTypeable(line: string, env: object): void {
  const reason =
    (line.length > LONGEST && `at most ${LONGEST} characters`) ||
    (/[^ -~]/.test(line) && 'one line of printable ASCII') ||
    (Object.keys(env).length > 0 && 'no env: put NAME=value in front of the command');
  if (reason) throw new UserError(`userShell takes ${reason}. Nothing ran.`);
}

/** Longest scripts that an approval is bound to, in UTF-16 units. */
const MOST_SCRIPTS = 20_000;

interface LastingCommand {
  command: AllowedCommand;
  /** The scripts that run, by name, for the question. */
  runs?: Record<string, unknown>;
}

/**
 * The command as the user can allow it for longer than once; undefined if it is not one simple command of literal words, or it runs
 * a script that cannot be read, or that agents may not see. Reads package.json from the disk.
 *
 * @param cwd absolute, all links resolved
 */
export async function lastingCommand(
  line: string,
  cwd: string,
  env: Record<string, string>,
  ctx: Context,
): Promise<LastingCommand | undefined> {
  const literal = Object.keys(env).length > 0 ? undefined : literalCommand(line);
  if (!literal) return undefined;
  const { words, script } = literal;
  if (script === undefined) return { command: { words, cwd } };
  const all = await scriptsIn(cwd, ctx);
  if (!all || !Object.hasOwn(all, script) || typeof all[script] !== 'string') return undefined;
  const scripts = JSON.stringify(all);
  if (scripts.length > MOST_SCRIPTS) return undefined;
  return { command: { words, cwd, scripts }, runs: scriptsRun(script, all) };
}

/** @throws UserError if its scripts are not what the question showed, or the user has allowed */
async function requireSameScripts(
  line: string,
  cwd: string,
  { lasting, scripts }: { lasting: LastingCommand | undefined; scripts: Fields | undefined },
  ctx: Context,
): Promise<void> {
  const all = lasting?.command.scripts;
  const isSame =
    all === undefined
      ? isDeepStrictEqual(scripts && (await scriptsNamed(line, cwd, ctx)), scripts)
      : (await lastingCommand(line, cwd, {}, ctx))?.command.scripts === all;
  if (!isSame)
    throw new UserError(
      'The scripts of package.json have changed since the user was asked, or allowed this command. Nothing ran. Call run_command again.',
    );
}
