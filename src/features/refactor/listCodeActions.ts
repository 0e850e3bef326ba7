import type * as vscode from 'vscode';
import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { type Action, codeActions, withProblems } from '../../services/language/codeActions.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineReadTool, text } from '../tool.ts';

/** How both tools for code actions name a place. */
export const actionArguments = {
  path: args.path,
  line: args.line.optional().describe('Without it: the whole file'),
  column: z.int().min(1).optional(),
  endLine: args.line.optional(),
  endColumn: z.int().min(1).optional(),
  problem: z.string().min(1).optional().describe('Part of the message of a problem, instead of line'),
  kind: z.string().optional().describe('Such as "quickfix", "refactor", "fix_all", "organize_imports"'),
};

type ActionPlace = z.output<z.ZodObject<typeof actionArguments>>;

export interface Offer {
  location: Location;
  document: vscode.TextDocument;
  range: vscode.Range;
  actions: readonly Action[];
}

/** Short names of kinds. */
const KINDS: Record<string, string> = {
  fix_all: 'source.fixAll',
  organize_imports: 'source.organizeImports',
};

export const listCodeActions = defineReadTool({
  name: 'list_code_actions',
  title: 'List code actions in VS Code',
  description:
    'Lists the quick fixes, refactorings and other code actions for lines or a problem. Use it before apply_code_action.',
  group: 'language',
  hints: { search: 'quick fix, refactor' },
  input: z.strictObject({ ...actionArguments, limit: args.limit(100) }),
  run: ({ limit, ...place }, ctx, { signal }) =>
    withActions(place, ctx, signal, async ({ location, document, actions }) => {
      const title = `${visible(location.path)}${place.line ? `:${place.line}` : ''}`;
      if (actions.length === 0)
        return text(`No code actions at ${title}. ${ctx.providers.why('code actions', document)}`);
      const lines = actions
        .slice(0, limit)
        .map((one) => lineOf(one, (said) => ctx.files.redactor.text(said, location.path)));
      const more = actions.length > limit && `${limit} of ${actions.length}. Raise limit, or pass kind.`;
      return text([title, ...lines].join('\n'), more);
    }),
});

export const lineOf = ({ title, kind, isPreferred }: Action, shown: (said: string) => string): string =>
  `  ${kind || 'command'}: ${visible(shown(title))}${isPreferred ? ' (preferred)' : ''}`;

/** Runs `use` with the actions at a place. @throws UserError if there is no such place; NotFoundError, CancelledError */
export async function withActions<T>(
  place: ActionPlace,
  ctx: Context,
  signal: AbortSignal,
  use: (offer: Offer) => Promise<T>,
): Promise<T> {
  const location = await ctx.files.locate(place.path);
  return withProblems(location, ctx, signal, async (document) => {
    const range =
      place.problem === undefined
        ? rangeOf(place, document, location, ctx)
        : ofProblem(place.problem, document, location, ctx);
    const kind = place.kind && (KINDS[place.kind] ?? place.kind);
    const isFile = place.line === undefined && place.problem === undefined;
    // Providers offer actions for a whole file only if they are asked for them.
    const kinds = kind || !isFile ? [kind] : ['source', undefined];
    const found = await Promise.all(
      kinds.map((one) => codeActions(document, range, { kind: one }, ctx, signal)),
    );
    const unique = new Map(found.flat().map((one) => [`${one.kind} ${one.title}`, one]));
    return use({ location, document, range, actions: [...unique.values()] });
  });
}

/** Whole lines, or from a column on. */
function rangeOf(
  { line, column = 1, endLine = line, endColumn }: ActionPlace,
  document: vscode.TextDocument,
  { path }: Location,
  { vscode: { Range } }: Context,
): vscode.Range {
  if (line === undefined || endLine === undefined)
    return document.validateRange(new Range(0, 0, document.lineCount, 0));
  if (endLine > document.lineCount || endLine < line)
    throw new UserError(`${path} has ${document.lineCount} lines; there are no lines ${line} to ${endLine}.`);
  const end = endColumn ?? Number.MAX_SAFE_INTEGER;
  return document.validateRange(new Range(line - 1, column - 1, endLine - 1, end - 1));
}

/** Where the first problem is that says this. Compared as the agent may see it, or it could guess redacted text. */
function ofProblem(
  problem: string,
  { uri }: vscode.TextDocument,
  { path }: Location,
  { vscode, files }: Context,
): vscode.Range {
  const all = vscode.languages.getDiagnostics(uri);
  const found = all.find(({ message }) => files.redactor.text(message, path).includes(problem));
  if (found) return found.range;
  throw new UserError(
    `${path} has no problem that contains "${problem}". Call get_diagnostics for its ${all.length} problems.`,
  );
}
