import type { PromptMessage } from '@modelcontextprotocol/server';
import { throwIfCancelled, UserError } from '../../../core/errors.ts';
import {
  defaultOf,
  expandSnippet,
  hasTransforms,
  type TabStop,
  tabStops,
  variablesIn,
} from '../../../core/snippets/snippet.ts';
import { parseSnippet, type Snippet } from '../../../core/snippets/syntax.ts';
import { fenced as codeBlock } from '../../../core/text/markdown.ts';
import { unlessAborted } from '../../../util/clock.ts';
import { bounded } from '../../../util/runBounded.ts';
import type { Argument, Context } from '../../context.ts';
import { Attachments } from '../attachments.ts';
import type { PromptCall, PromptEntry } from '../promptSource.ts';
import { editorVariables } from './editorVariables.ts';

/** Most milliseconds for the regular expressions of one snippet. */
const EXPANSION = 500;
/** Longest default, and longest list of choices, in a description, in UTF-16 units. */
const SHOWN = 200;

export interface SnippetText {
  title: string;
  description?: string;
  /** Redacted. */
  body: string;
  /** Language ids that it is for; empty if it is for all. */
  languages: readonly string[];
}

/** A snippet, parsed when it is needed. */
interface Parsed extends SnippetText {
  stops: readonly TabStop[];
  used: ReadonlySet<string>;
}

/** A snippet as a prompt, whose tab stops are the arguments. */
export function snippetEntry(text: SnippetText, ctx: Context): PromptEntry {
  const snippet = parseSnippet(text.body);
  const stops = tabStops(snippet);
  const parsed: Parsed = { ...text, stops, used: variablesIn(snippet) };
  return {
    title: text.title,
    ...(text.description && { description: text.description }),
    arguments: stops.map((stop) => describe(stop, ctx)),
    complete: (argument, ctx) => suggestions(parsed, argument, ctx),
    get: (args, ctx, call) => messagesOf(parsed, args, ctx, call),
  };
}

function describe({ name, required, choices, defaultText }: TabStop, { vscode: { l10n } }: Context) {
  if (defaultText === undefined) return { name, required };
  const text = cut(quoted(defaultText));
  const all = choices && cut(choices.map(quoted).join(', '));
  const description = all ? l10n.t('One of {0}. Default: {1}', all, text) : l10n.t('Default: {0}', text);
  return { name, required, description };
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, SHOWN));
const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

/** @throws UserError if the snippet's regular expressions take too long, or make its text too long */
function within<T>(title: string, snippet: Snippet, run: () => T): T {
  try {
    return hasTransforms(snippet) ? bounded(run, EXPANSION) : run();
  } catch (error) {
    if (error instanceof RangeError)
      throw new UserError(`The snippet "${title}" is too long: ${error.message}`);
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new UserError(
      `The snippet "${title}" has a regular expression that did not finish within ${EXPANSION} ms. Ask the user to simplify it.`,
    );
  }
}

/** The choices of a tab stop, or its default with the values of other tab stops and of the editor. */
async function suggestions({ title, body, stops, used }: Parsed, { name, others }: Argument, ctx: Context) {
  const stop = stops.find((candidate) => candidate.name === name);
  if (!stop) return [];
  if (stop.choices) return stop.choices;
  const given = stops.filter((other) => other !== stop);
  const { variable } = await editorVariables(ctx, used);
  const expansion = { values: valuesOf(given, others), variable };
  const snippet = parseSnippet(body);
  return [within(title, snippet, () => defaultOf(snippet, stop.number, expansion))].filter(Boolean);
}

/** The given values, by number of the tab stop. An argument may be named `constructor`. */
const valuesOf = (stops: readonly TabStop[], args: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    stops
      .filter(({ name }) => Object.hasOwn(args, name))
      .map(({ name, number }) => [number, args[name] ?? '']),
  );

/** Variables that name the file: its text says more than its path. */
const OF_FILE = ['TM_FILEPATH', 'RELATIVE_FILEPATH'];

/** The text of the snippet, and the file of the active editor if it names it. */
async function messagesOf(
  { title, body, stops, used, languages }: Parsed,
  args: Readonly<Record<string, string>>,
  ctx: Context,
  call: PromptCall,
): Promise<PromptMessage[]> {
  const editor = await editorVariables(ctx, used);
  const clipboard = used.has('CLIPBOARD') ? await clipboardText(title, ctx, call) : undefined;
  const variable = (name: string) => (name === 'CLIPBOARD' ? clipboard : editor.variable(name));
  const expansion = { values: valuesOf(stops, args), variable };
  const snippet = parseSnippet(body);
  const text = within(title, snippet, () => expandSnippet(snippet, expansion));
  const attachments = new Attachments(ctx);
  if (editor.file && OF_FILE.some((name) => used.has(name))) await attachments.file(editor.file);
  // As code of the language of the active editor if the snippet is for that, otherwise of the first that it is for.
  const language = languages.find((id) => id === editor.languageId) ?? languages[0];
  return attachments.after(language === undefined ? text : codeBlock(text, language));
}

/**
 * The text of the clipboard if the user gives it to this prompt: it was copied for another place. Undefined without a yes.
 *
 * @throws CancelledError
 */
async function clipboardText(
  prompt: string,
  { vscode: { env, l10n, window } }: Context,
  { signal }: PromptCall,
): Promise<string | undefined> {
  // Enter chooses the first button, and the user may be typing when the question opens.
  const buttons = [l10n.t('Do Not Give'), l10n.t('Give Clipboard')] as const;
  const question = l10n.t(
    'Give the agent the text in your clipboard? It asks for the prompt "{0}", which has it in it.',
    prompt,
  );
  const asked = window.showWarningMessage(question, { modal: true }, ...buttons);
  const answer = await unlessAborted(asked, signal);
  throwIfCancelled(signal);
  return answer === buttons[1] ? (await env.clipboard.readText()) || undefined : undefined;
}
