import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { UserError } from '../../core/errors.ts';
import { defaultOf, expandSnippet, type TabStop, tabStops } from '../../core/snippets/snippet.ts';
import { parseSnippet, type Snippet } from '../../core/snippets/syntax.ts';
import { allVisibleText } from '../../core/text/escapeInvisible.ts';
import { bounded } from '../../util/runBounded.ts';
import { type Argument, completion } from '../call.ts';
import type { Context } from '../context.ts';
import type { PromptProvider } from '../prompt.ts';
import { editorVariables } from './editorVariables.ts';
import { readSnippets, type SnippetEntry } from './snippetFiles.ts';

/** Most milliseconds for the regular expressions of one snippet, or for those in the defaults of a whole list. */
const EXPANSION = 500;
/** Milliseconds that each snippet of a list may take even if the others have used up the time. */
const LEAST = 20;

/** The snippets in `.vscode/*.code-snippets`. Their tab stops are the arguments. */
export const snippets: PromptProvider = {
  async list(ctx) {
    const until = performance.now() + EXPANSION;
    return (await readSnippets(ctx)).flatMap((entry) => {
      try {
        return describe(entry, stopsOf(entry, Math.max(LEAST, Math.ceil(until - performance.now()))));
      } catch (error) {
        ctx.log.warn((error as Error).message);
        return [];
      }
    });
  },

  async get(name, args, ctx) {
    const entry = await find(name, ctx);
    return entry && expand(entry, args, ctx);
  },

  async complete(name, argument, ctx) {
    const entry = await find(name, ctx);
    if (!entry) return undefined;
    const typed = argument.value.toLowerCase();
    const values = await suggestions(entry, argument, ctx);
    return completion(values.filter((value) => value.toLowerCase().startsWith(typed)));
  },

  watch(ctx, onList) {
    const { Disposable, workspace } = ctx.vscode;
    const files = ctx.files.watchContent(({ path }) => {
      if (/\/\.vscode\/[^/]+\.code-snippets$/.test(path)) onList();
    });
    return Disposable.from(files, workspace.onDidChangeWorkspaceFolders(onList));
  },
};

const find = async (name: string, ctx: Context): Promise<SnippetEntry | undefined> =>
  (await readSnippets(ctx)).find((entry) => entry.name === name);

const stopsOf = (entry: SnippetEntry, ms = EXPANSION): TabStop[] =>
  within(entry, (snippet) => tabStops(snippet), ms);

/** @throws UserError if the snippet's regular expressions take too long, or make its text too long */
function within<T>({ name, body }: SnippetEntry, run: (snippet: Snippet) => T, ms = EXPANSION): T {
  const snippet = parseSnippet(body);
  try {
    return bounded(() => run(snippet), ms);
  } catch (error) {
    if (error instanceof RangeError)
      throw new UserError(`The prompt "${name}" is too long: ${error.message}`);
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new UserError(`The prompt "${name}" has a regular expression that did not finish within ${ms} ms.`);
  }
}

const describe = ({ name, title, description }: SnippetEntry, stops: readonly TabStop[]): Prompt => ({
  name,
  title: allVisibleText(title),
  description: allVisibleText(description ?? title),
  arguments: stops.map((stop) => ({
    name: stop.name,
    required: stop.required,
    ...(stop.description && { description: allVisibleText(stop.description) }),
  })),
});

/** The choices of a tab stop, or its default with the values of other tab stops and of the editor. */
async function suggestions(
  entry: SnippetEntry,
  { name, others }: Argument,
  ctx: Context,
): Promise<readonly string[]> {
  const stops = stopsOf(entry);
  const stop = stops.find((candidate) => candidate.name === name);
  if (!stop?.defaultText) return [];
  if (stop.choices) return stop.choices;
  const values = valuesOf(
    stops.filter((other) => other !== stop),
    others,
  );
  const variable = await editorVariables(ctx);
  return [within(entry, (snippet) => defaultOf(snippet, stop.number, { values, variable }))].filter(Boolean);
}

/** The given values, by number of the tab stop. */
const valuesOf = (stops: readonly TabStop[], args: Record<string, string>): Record<number, string> =>
  Object.fromEntries(
    stops.filter(({ name }) => isGiven(args, name)).map(({ name, number }) => [number, args[name] ?? '']),
  );

/** An argument may be named `constructor`. */
const isGiven = (args: Record<string, string>, name: string): boolean =>
  Object.hasOwn(args, name) && args[name] !== undefined;

async function expand(
  entry: SnippetEntry,
  args: Record<string, string>,
  ctx: Context,
): Promise<GetPromptResult> {
  const stops = stopsOf(entry);
  requireArguments(entry, stops, args);
  const values = valuesOf(stops, args);
  const variable = await editorVariables(ctx);
  const text = within(entry, (snippet) => expandSnippet(snippet, { values, variable }));
  return {
    description: allVisibleText(entry.description ?? entry.title),
    messages: [{ role: 'user', content: { type: 'text', text: allVisibleText(text) } }],
  };
}

function requireArguments(
  { name }: SnippetEntry,
  stops: readonly TabStop[],
  args: Record<string, string>,
): void {
  const missing = stops.filter((stop) => stop.required && !isGiven(args, stop.name)).map((stop) => stop.name);
  if (missing.length > 0) throw new UserError(`The prompt "${name}" also needs ${missing.join(', ')}.`);
  const unknown = Object.keys(args).filter((key) => !stops.some((stop) => stop.name === key));
  if (unknown.length === 0) return;
  const known = stops.map((stop) => stop.name).join(', ') || 'none';
  throw new UserError(`The prompt "${name}" has no argument ${unknown.join(', ')}. It takes: ${known}.`);
}
