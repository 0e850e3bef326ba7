import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import { allVisibleText, UserError } from '../../core/messages.ts';
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
 * The prompts of all sources, as one agent may see them. They are loaded when the agent first asks for them, and again when
 * something changes.
 */
export function promptList(sources: readonly PromptSource[], ctx: Context) {
  const { files, promptProblems, vscode } = ctx;
  const namesOf = promptNamer(ctx.promptArrivals);
  const shown = (text: string): string => allVisibleText(files.redactor.text(text));
  let loaded: Loaded | undefined;

  function prompts(): Promise<Prompts> {
    const rules = [files.policy.verdicts, files.redactor.redaction];
    const known = loaded;
    if (known?.rules.every((rule, index) => rule === rules[index])) return known.prompts;
    const next: Loaded = { rules, prompts: load() };
    loaded = next;
    next.prompts.catch(() => {
      if (loaded === next) loaded = undefined;
    });
    return next.prompts;
  }

  async function load(): Promise<Prompts> {
    const on = sourcesOn(vscode);
    const entries = (await Promise.all(sources.filter(({ kind }) => on.has(kind)).map(loadOne))).flat();
    const names = namesOf(
      entries.map(({ name, title, file }) => ({
        title: files.redactor.text(name ?? title),
        file: `${file ?? ''}`,
      })),
    );
    const byName = new Map(entries.map((entry, index) => [names[index] ?? '', entry]));
    const listed = [...byName].map(([name, entry]) => describe(name, entry));
    return { byName, listed: listed.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }

  /** The other sources stay if one fails. */
  async function loadOne(source: PromptSource): Promise<readonly PromptEntry[]> {
    try {
      files.redactor.redaction.require(); // a broken pattern closes them
      return await source.load(ctx);
    } catch (error) {
      ctx.log.warn(`prompts of ${source.kind} cannot be read: ${(error as Error).message}`);
      return [];
    }
  }

  const describe = (name: string, { title, description, arguments: args }: PromptEntry): Prompt => ({
    name,
    title: shown(title),
    description: shown(description ?? title),
    arguments: args.map((argument) => ({
      ...argument,
      ...(argument.description && { description: shown(argument.description) }),
    })),
  });

  return {
    /** Sorted by name. @param file of only these, if given; VS Code's editor may name it by another scheme */
    async list(file?: vscode.Uri): Promise<readonly Prompt[]> {
      const { listed, byName } = await prompts();
      return file ? listed.filter(({ name }) => byName.get(name)?.file?.path === file.path) : listed;
    },

    /** Undefined if there is no such prompt. @throws UserError if its arguments are wrong */
    async get(
      name: string,
      args: Readonly<Record<string, string>>,
      call: PromptCall,
    ): Promise<GetPromptResult | undefined> {
      const entry = (await prompts()).byName.get(name);
      if (!entry) return undefined;
      requireArguments(name, entry, args);
      const messages = (await entry.get(args, ctx, call)).map(({ role, content }) =>
        content.type === 'text'
          ? { role, content: { ...content, text: shown(content.text) } }
          : { role, content },
      );
      return { description: shown(entry.description ?? entry.title), messages };
    },

    /** Undefined if there is no such prompt. */
    async complete(name: string, argument: Argument, call: PromptCall): Promise<Completion | undefined> {
      const entry = (await prompts()).byName.get(name);
      if (!entry) return undefined;
      const values = (await entry.complete?.(argument, ctx, call)) ?? [];
      const typed = argument.value.toLowerCase();
      return completion(values.filter((value) => `/${value}`.toLowerCase().includes(`/${typed}`)));
    },

    /** Fires when the list may differ. A list that was used is loaded again, so that problems in its files are up to date. */
    watch(onList: () => void): vscode.Disposable {
      const changed = () => {
        const wasLoaded = loaded !== undefined;
        loaded = undefined;
        onList();
        if (wasLoaded) prompts().catch(() => {}); // the agent gets the error when it asks
      };
      const rulesChanged = () => {
        if (loaded) promptProblems.clear(); // some files may not be read any more
        changed();
      };
      return vscode.Disposable.from(
        ...sources.flatMap((source) => source.watch?.(ctx, changed) ?? []),
        files.watchRules(rulesChanged),
        vscode.workspace.onDidChangeConfiguration((event) => {
          if (SETTINGS.some((one) => event.affectsConfiguration(one))) rulesChanged();
        }),
      );
    },
  };
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
  const { defaultValue, globalValue } =
    workspace.getConfiguration('workspaceMcp.prompts').inspect<Record<PromptKind, unknown>>('sources') ?? {};
  const all = Object.entries({ ...defaultValue, ...globalValue }) as [PromptKind, unknown][];
  return new Set(all.filter(([, isOn]) => isOn === true).map(([kind]) => kind));
}

/** The prompts of some sources; each agent has a list of its own, because access rules and client roots differ. */
export function promptProvider(sources: readonly PromptSource[]): PromptProvider {
  const lists = new WeakMap<Context, ReturnType<typeof promptList>>();
  const listOf = (ctx: Context) => {
    const list = lists.get(ctx) ?? promptList(sources, ctx);
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
