import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { settingLevels } from '../../core/settings.ts';
import { allVisibleText } from '../../core/text/visible.ts';
import { type Argument, type Completion, type Context, completion } from '../context.ts';
import type { PromptProvider } from '../features.ts';
import { promptNamer } from './promptNames.ts';
import type { PromptCall, PromptEntry, PromptKind, PromptSource } from './promptSource.ts';

/** Settings that the sources depend on. */
const SETTINGS = ['workspaceMcp.prompts', 'chat.promptFilesLocations'];

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
 * The prompts of some sources, as one agent may see them. They are loaded when the agent first asks for them, and again when
 * something changes.
 */
export class PromptList {
  readonly #sources: readonly PromptSource[];
  readonly #ctx: Context;
  readonly #namesOf: ReturnType<typeof promptNamer>;
  #loaded: Loaded | undefined;

  constructor(sources: readonly PromptSource[], ctx: Context) {
    this.#sources = sources;
    this.#ctx = ctx;
    this.#namesOf = promptNamer(ctx.promptArrivals);
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
    const { files, promptProblems, vscode } = this.#ctx;
    const changed = () => {
      const wasLoaded = this.#loaded !== undefined;
      this.#loaded = undefined;
      onList();
      if (wasLoaded) this.#prompts().catch(() => {}); // the agent gets the error when it asks
    };
    const rulesChanged = () => {
      if (this.#loaded) promptProblems.clear(); // some files may not be read any more
      changed();
    };
    return vscode.Disposable.from(
      ...this.#sources.flatMap((source) => source.watch?.(this.#ctx, changed) ?? []),
      files.watchRules(rulesChanged),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (SETTINGS.some((one) => event.affectsConfiguration(one))) rulesChanged();
      }),
    );
  }

  #prompts(): Promise<Prompts> {
    const { policy, redactor } = this.#ctx.files;
    const rules = [policy.verdicts, redactor.redaction];
    const known = this.#loaded;
    if (known?.rules.every((rule, index) => rule === rules[index])) return known.prompts;
    const next: Loaded = { rules, prompts: this.#load() };
    this.#loaded = next;
    next.prompts.catch(() => {
      if (this.#loaded === next) this.#loaded = undefined;
    });
    return next.prompts;
  }

  async #load(): Promise<Prompts> {
    const { files, vscode } = this.#ctx;
    const on = sourcesOn(vscode);
    const loading = this.#sources.filter(({ kind }) => on.has(kind)).map((source) => this.#loadOne(source));
    const entries = (await Promise.all(loading)).flat();
    const names = this.#namesOf(
      entries.map(({ name, title, file }) => ({
        title: files.redactor.text(name ?? title),
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

  #shown(text: string): string {
    return allVisibleText(this.#ctx.files.redactor.text(text));
  }
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

/**
 * The sources that are on. The setting has application scope: a repository must not give agents what is the user's own, nor may a
 * remote machine, whose settings a devcontainer.json can write.
 */
function sourcesOn({ workspace }: typeof vscode): ReadonlySet<PromptKind> {
  const { defaultValue, globalValue } = settingLevels<Record<PromptKind, unknown>>(
    workspace,
    'prompts.sources',
  );
  const all = Object.entries({ ...defaultValue, ...globalValue }) as [PromptKind, unknown][];
  return new Set(all.filter(([, isOn]) => isOn === true).map(([kind]) => kind));
}

/** The prompts of some sources; each agent has a list of its own, because access rules and client roots differ. */
export function promptProvider(sources: readonly PromptSource[]): PromptProvider {
  const lists = new WeakMap<Context, PromptList>();
  const listOf = (ctx: Context) => {
    const list = lists.get(ctx) ?? new PromptList(sources, ctx);
    lists.set(ctx, list);
    return list;
  };
  return {
    list: (ctx) => listOf(ctx).list(),
    get: (name, args, ctx, call) => listOf(ctx).get(name, args, call),
    complete: (name, argument, ctx, call) => listOf(ctx).complete(name, argument, call),
    watch: (ctx, onList) => listOf(ctx).watch(onList),
  };
}
