import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { allVisibleText } from '../../core/text/escapeInvisible.ts';
import { type Argument, type Completion, completion } from '../call.ts';
import type { Context } from '../context.ts';
import { PromptNames } from './promptNames.ts';
import type { PromptCall, PromptEntry, PromptSource } from './promptSource.ts';
import { sourcesOn } from './sourceSettings.ts';

interface Loaded {
  /** What the list depends on, besides the files that the sources watch. */
  rules: readonly unknown[];
  prompts: Promise<Prompts>;
}

interface Prompts {
  listed: readonly Prompt[];
  byName: ReadonlyMap<string, PromptEntry>;
}

/**
 * The prompts of all sources, as one agent may see them. They are loaded when the agent first asks for them, and again when
 * something changes.
 */
export class PromptList {
  readonly #ctx: Context;
  readonly #sources: readonly PromptSource[];
  readonly #names: PromptNames;
  #loaded: Loaded | undefined;

  constructor(sources: readonly PromptSource[], ctx: Context) {
    this.#sources = sources;
    this.#ctx = ctx;
    this.#names = new PromptNames(ctx.promptArrivals);
  }

  /** Sorted by name. @param file of only these, if given; VS Code's editor may name it by another scheme */
  async list(file?: vscode.Uri): Promise<readonly Prompt[]> {
    const { listed, byName } = await this.#prompts();
    return file ? listed.filter(({ name }) => byName.get(name)?.file?.path === file.path) : listed;
  }

  /** Undefined if there is no such prompt. @throws UserError if its arguments are wrong */
  async get(
    name: string,
    args: Readonly<Record<string, string>>,
    call: PromptCall,
  ): Promise<GetPromptResult | undefined> {
    const entry = (await this.#prompts()).byName.get(name);
    if (!entry) return undefined;
    requireArguments(name, entry, args);
    const messages = (await entry.get(args, this.#ctx, call)).map(({ role, content }) =>
      content.type === 'text'
        ? { role, content: { ...content, text: this.#shown(content.text) } }
        : { role, content },
    );
    return { description: this.#shown(entry.description ?? entry.title), messages };
  }

  /** Undefined if there is no such prompt. */
  async complete(name: string, argument: Argument, call: PromptCall): Promise<Completion | undefined> {
    const entry = (await this.#prompts()).byName.get(name);
    if (!entry) return undefined;
    const values = (await entry.complete?.(argument, this.#ctx, call)) ?? [];
    const typed = argument.value.toLowerCase();
    return completion(values.filter((value) => `/${value}`.toLowerCase().includes(`/${typed}`)));
  }

  /** Fires when the list may differ. A list that was used is loaded again, so that problems in its files are up to date. */
  watch(onList: () => void): vscode.Disposable {
    const { Disposable, workspace } = this.#ctx.vscode;
    const changed = () => {
      const wasLoaded = this.#loaded !== undefined;
      this.#loaded = undefined;
      onList();
      if (wasLoaded) this.#prompts().catch(() => {}); // the agent gets the error when it asks
    };
    const rulesChanged = () => {
      if (this.#loaded) this.#ctx.promptProblems.clear(); // some files may not be read any more
      changed();
    };
    return Disposable.from(
      ...this.#sources.flatMap((source) => source.watch?.(this.#ctx, changed) ?? []),
      this.#ctx.files.watchRules(rulesChanged),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('workspaceMcp.prompts')) rulesChanged();
      }),
    );
  }

  #prompts(): Promise<Prompts> {
    const { policy, redactor } = this.#ctx.files;
    const rules = [policy.verdictKey(), redactor.redaction];
    const known = this.#loaded;
    if (known?.rules.every((rule, index) => rule === rules[index])) return known.prompts;
    const prompts = this.#load();
    const loaded = { rules, prompts };
    this.#loaded = loaded;
    prompts.catch(() => {
      if (this.#loaded === loaded) this.#loaded = undefined;
    });
    return prompts;
  }

  async #load(): Promise<Prompts> {
    const on = sourcesOn(this.#ctx.vscode);
    const sources = this.#sources.filter(({ kind }) => on.has(kind));
    const entries = (await Promise.all(sources.map((source) => this.#loadOne(source)))).flat();
    const { redactor } = this.#ctx.files;
    const names = this.#names.of(
      entries.map(({ name, title, file }) => ({
        title: redactor.text(name ?? title),
        file: `${file ?? ''}`,
      })),
    );
    const byName = new Map(entries.map((entry, index) => [names[index] ?? '', entry]));
    const listed = [...byName].map(([name, entry]) => this.#describe(name, entry));
    return { byName, listed: listed.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }

  /** The other sources stay if one fails. */
  async #loadOne(source: PromptSource): Promise<readonly PromptEntry[]> {
    try {
      this.#ctx.files.redactor.redaction.require(); // a broken pattern closes them
      return await source.load(this.#ctx);
    } catch (error) {
      this.#ctx.log.warn(`prompts of ${source.kind} cannot be read: ${(error as Error).message}`);
      return [];
    }
  }

  #describe(name: string, { title, description, arguments: args }: PromptEntry): Prompt {
    return {
      name,
      title: this.#shown(title),
      description: this.#shown(description ?? title),
      arguments: args.map((argument) => ({
        ...argument,
        ...(argument.description && { description: this.#shown(argument.description) }),
      })),
    };
  }

  readonly #shown = (text: string): string => allVisibleText(this.#ctx.files.redactor.text(text));
}

function requireArguments(
  name: string,
  { arguments: known }: PromptEntry,
  args: Readonly<Record<string, string>>,
): void {
  // an argument may be named `constructor`
  const missing = known.filter((one) => one.required && !Object.hasOwn(args, one.name));
  if (missing.length > 0)
    throw new UserError(`The prompt "${name}" also needs ${missing.map((one) => one.name).join(', ')}.`);
  const unknown = Object.keys(args).filter((key) => !known.some((one) => one.name === key));
  if (unknown.length === 0) return;
  const all = known.map((one) => one.name).join(', ') || 'none';
  throw new UserError(`The prompt "${name}" has no argument ${unknown.join(', ')}. It takes: ${all}.`);
}
