import { join } from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { AllowedCommand } from '../../core/grants.ts';
import { fieldsOf, isObject, parsedJson } from '../../core/json.ts';
import { literalCommand } from '../../core/literalWords.ts';
import type { Context } from '../context.ts';

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
  const names = [`pre${script}`, script, `post${script}`].filter((name) => Object.hasOwn(all, name));
  return {
    command: { words, cwd, scripts },
    runs: Object.fromEntries(names.map((name) => [name, all[name]])),
  };
}

/** @throws UserError if its scripts are not what the question showed, or the user has allowed */
export async function requireSameScripts(
  line: string,
  { command: { cwd, scripts } }: LastingCommand,
  ctx: Context,
): Promise<void> {
  if (scripts === undefined) return;
  if ((await lastingCommand(line, cwd, {}, ctx))?.command.scripts !== scripts)
    throw new UserError(
      'The scripts of package.json have changed since the user was asked, or allowed this command. Nothing ran. Call run_command again.',
    );
}

/** Undefined if it has none that agents may see as they are. */
async function scriptsIn(
  cwd: string,
  { files }: Context,
): Promise<(object & Record<string, unknown>) | undefined> {
  try {
    const text = await files.textOnDisk(await files.locate(join(cwd, 'package.json')));
    const { scripts } = fieldsOf(parsedJson(text ?? ''));
    return isObject(scripts) ? scripts : undefined;
  } catch {
    return undefined;
  }
}
