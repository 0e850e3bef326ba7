import { UserError } from '../../core/errors.ts';
import { defaultOf, expandSnippet, type TabStop, tabStops } from '../../core/snippets/snippet.ts';
import { parseSnippet, type Snippet } from '../../core/snippets/syntax.ts';
import type { Log } from '../../util/log.ts';
import { bounded } from '../../util/runBounded.ts';
import type { Argument } from '../call.ts';
import type { Context } from '../context.ts';
import { editorVariables } from './editorVariables.ts';
import type { PromptEntry } from './promptSource.ts';

/** Most milliseconds for the regular expressions of one snippet. */
const EXPANSION = 500;
/** The same when its arguments are listed. */
const LISTING = 20;

export interface SnippetText {
  title: string;
  description?: string;
  /** Redacted. */
  body: string;
}

/** A snippet as a prompt, whose tab stops are the arguments; undefined if its regular expressions take too long. */
export function snippetEntry(text: SnippetText, log: Log): PromptEntry | undefined {
  try {
    const stops = within(text, LISTING, (snippet) => tabStops(snippet));
    const args = stops.map(({ name, required, description }) => ({
      name,
      required,
      ...(description && { description }),
    }));
    return {
      ...text,
      arguments: args,
      complete: (argument, ctx) => suggestions(text, stops, argument, ctx),
      get: async (given, ctx) => {
        const expansion = { values: valuesOf(stops, given), variable: await editorVariables(ctx) };
        const expanded = within(text, EXPANSION, (snippet) => expandSnippet(snippet, expansion));
        return { messages: [{ role: 'user', content: { type: 'text', text: expanded } }] };
      },
    };
  } catch (error) {
    log.warn((error as Error).message);
    return undefined;
  }
}

/** @throws UserError if the snippet's regular expressions take too long, or make its text too long */
function within<T>({ title, body }: SnippetText, ms: number, run: (snippet: Snippet) => T): T {
  const snippet = parseSnippet(body);
  try {
    return bounded(() => run(snippet), ms);
  } catch (error) {
    if (error instanceof RangeError)
      throw new UserError(`The snippet "${title}" is too long: ${error.message}`);
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new UserError(
      `The snippet "${title}" has a regular expression that did not finish within ${ms} ms.`,
    );
  }
}

/** The choices of a tab stop, or its default with the values of other tab stops and of the editor. */
async function suggestions(
  text: SnippetText,
  stops: readonly TabStop[],
  { name, others }: Argument,
  ctx: Context,
): Promise<readonly string[]> {
  const stop = stops.find((candidate) => candidate.name === name);
  if (!stop?.defaultText) return [];
  if (stop.choices) return stop.choices;
  const given = stops.filter((other) => other !== stop);
  const expansion = { values: valuesOf(given, others), variable: await editorVariables(ctx) };
  return [within(text, EXPANSION, (snippet) => defaultOf(snippet, stop.number, expansion))].filter(Boolean);
}

/** The given values, by number of the tab stop. An argument may be named `constructor`. */
const valuesOf = (
  stops: readonly TabStop[],
  args: Readonly<Record<string, string>>,
): Record<number, string> =>
  Object.fromEntries(
    stops
      .filter(({ name }) => Object.hasOwn(args, name))
      .map(({ name, number }) => [number, args[name] ?? '']),
  );
