import type * as vscode from 'vscode';
import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { lineOf, titleOf } from './breakpointText.ts';

/** How an agent says where a breakpoint is to be, and when it stops. */
export const atLine = {
  path: z.string().min(1).optional(),
  line: args.line.optional(),
  text: args.query.min(1).optional().describe('Finds the line'),
  condition: z.string().min(1).optional(),
  hitCount: z.string().min(1).optional(),
  log: z.string().min(1).optional().describe('Printed, with {expressions}, instead of a stop'),
};
type AtLine = z.output<z.ZodObject<typeof atLine>>;

/** @throws UserError if it is none */
export function atLineOf(fields: object): AtLine {
  const { data, error } = z.strictObject(atLine).safeParse(fields);
  if (data) return data;
  const reasons = error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
  throw new UserError(
    `A breakpoint cannot be used (${reasons.join('; ')}). It may have: ${Object.keys(atLine).join(', ')}.`,
  );
}

/** @throws UserError if no place is meant, or several */
export async function atPlace(
  given: AtLine,
  location: Location | undefined,
  ctx: Context,
): Promise<vscode.SourceBreakpoint> {
  const { vscode } = ctx;
  if (!location) throw new UserError('Pass path with line or text, function, or exceptions.');
  const line = given.line ?? (await lineWith(given.text, location, ctx));
  const count = (await ctx.files.loadDocument(location)).lineCount;
  if (line > count) throw new UserError(`${location.path} has ${count} lines.`);
  return new vscode.SourceBreakpoint(
    new vscode.Location(location.uri, new vscode.Position(line - 1, 0)),
    ...([true, given.condition, given.hitCount, given.log] as const),
  );
}

/** 1-based. @throws UserError if not exactly one line has the text */
export async function lineWith(
  part: string | undefined,
  location: Location,
  { files }: Context,
): Promise<number> {
  if (part === undefined) throw new UserError('Pass line, or text that stands on the line.');
  const { path } = location;
  const found = await files.read(location);
  if (found.kind !== 'text') throw new UserError(`${path} is not text.`);
  const lines = found.text.split('\n').flatMap((line, index) => (line.includes(part) ? [index + 1] : []));
  const [only, ...others] = lines;
  if (only !== undefined && others.length === 0) return only;
  throw new UserError(
    only === undefined
      ? `No line of ${path} has "${part}".`
      : `Several lines of ${path} have "${part}": ${lines.slice(0, 20).join(', ')}. Pass line.`,
  );
}

/** The agent's own breakpoint of that line: VS Code keeps one. @throws UserError if there is one of somebody else */
export async function requireFree(
  breakpoint: vscode.Breakpoint,
  ctx: Context,
): Promise<vscode.Breakpoint | undefined> {
  const { vscode, breakpoints } = ctx;
  const before =
    breakpoint instanceof vscode.SourceBreakpoint ? breakpoints.at(breakpoint.location) : undefined;
  if (before && breakpoints.ownerOf(before)?.id !== ctx.author().id)
    throw new UserError(
      `VS Code keeps one breakpoint for a line, and there is one: ${await lineOf(before, ctx)}. Take another line, or ask the user.`,
    );
  return before;
}

/** Sets it in the place of the agent's own one of that line. @throws UserError if the user has set one there meanwhile */
export async function place(breakpoint: vscode.Breakpoint, ctx: Context): Promise<void> {
  const before = await requireFree(breakpoint, ctx);
  if (before) ctx.breakpoints.remove([before]);
  ctx.breakpoints.add(breakpoint, ctx.author());
}

/** For the question about a start: all of each, because conditions and messages run code. */
export async function shownBreakpoints(all: readonly vscode.Breakpoint[], ctx: Context) {
  return await Promise.all(
    all.map(async (one) => {
      const { condition, hitCondition, logMessage } = one;
      const more = { condition, hitCount: hitCondition, log: logMessage };
      const given = Object.entries(more).filter(([, value]) => value);
      return given.length === 0
        ? await titleOf(one, ctx)
        : { at: await titleOf(one, ctx), ...Object.fromEntries(given) };
    }),
  );
}
