/** An edit that an agent is about to make with a tool of its own: what is known before it. */
import type * as vscode from 'vscode';
import { ifUserError } from '../../core/errors.ts';
import { isTypeScript } from '../../services/language/checkers.ts';
import { importersOf } from '../../services/language/importLines.ts';
import { timeout } from '../../util/clock.ts';
import { inParallel } from '../../util/queues.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { AT_ONCE, type Problem, problemsOfFile } from '../language/fileProblems.ts';

/** Files that use an edited one, and are checked. */
const MOST_USERS = 20;
/** How long what is there is looked for, in milliseconds: TypeScript's server first loads a project. */
const LOOKING = 20_000;

/** Errors of a file, as the agent may see them. */
export type Errors = readonly Problem[];

type ByUri = ReadonlyMap<string, readonly vscode.Diagnostic[]>;

export class ComingEdit {
  /** What language servers have reported on loaded files: all once `asked` resolves. */
  readonly reported: ByUri;
  /** Never rejects. */
  readonly asked: Promise<void> = Promise.resolve();
  /** The errors of servers that report on files which are not loaded. */
  readonly unloaded: ByUri;
  /** The files that use what is edited, once those and what they have is known. Never rejects. */
  readonly users: Promise<readonly Location[]>;
  readonly #ctx: Context;
  readonly #over = new AbortController();
  readonly #longest = timeout(LOOKING);
  readonly #limit = AbortSignal.any([this.#over.signal, this.#longest]);

  /** @param note gets what is known of a file: nothing at first */
  constructor(
    locations: readonly Location[],
    ctx: Context,
    note: (path: string, errors: Errors | undefined) => void,
  ) {
    const { language, vscode } = ctx;
    this.#ctx = ctx;
    const reported = new Map<string, readonly vscode.Diagnostic[]>();
    for (const document of vscode.workspace.textDocuments) {
      const known = document.isDirty ? undefined : language.known(document);
      if (known) reported.set(`${document.uri}`, known);
    }
    this.reported = reported;
    if (locations.length === 0) this.asked = this.#askLoaded(reported).catch(() => {});
    this.unloaded = language.unloaded.errors();
    for (const { path } of locations) note(path, undefined);
    this.users = this.#look(locations, note).catch((error: Error) => {
      ctx.log.warn(`the problems before an agent's own edit are unknown: ${error.message}`);
      return [];
    });
  }

  /** Asks about loaded files of which nothing is known, as far as answers may come later. */
  async #askLoaded(reported: Map<string, readonly vscode.Diagnostic[]>): Promise<void> {
    const { language, vscode } = this.#ctx;
    const unknown = vscode.workspace.textDocuments.filter(
      ({ isDirty, uri, languageId }) =>
        !isDirty && uri.scheme === 'file' && isTypeScript(languageId) && !reported.has(`${uri}`),
    );
    const ask = async (document: vscode.TextDocument) => {
      const { version } = document;
      if (!(await language.answersInOrder(document)) || document.version !== version) return;
      const { state, diagnostics } = await language.ofText(document, this.#longest);
      if (state === 'checked') reported.set(`${document.uri}`, diagnostics);
    };
    await Promise.all(unknown.slice(-MOST_USERS).map(ask));
  }

  /** The new text is loaded: nothing tells any more what was before. */
  end(): void {
    this.#over.abort();
  }

  async #look(
    locations: readonly Location[],
    note: (path: string, errors: Errors | undefined) => void,
  ): Promise<Location[]> {
    const { files } = this.#ctx;
    const loads = locations.map((one) => files.loadDocument(one).catch(ifUserError(undefined)));
    const documents = (await Promise.all(loads)).filter((one) => one !== undefined);
    const versions = documents.map(({ version }) => version);
    const isBefore = () =>
      !this.#limit.aborted && documents.every(({ version }, at) => version === versions[at]);
    const look = async (location: Location) => {
      const errors = await this.#errorsOf(location, isBefore).catch(() => undefined);
      if (errors) note(location.path, errors);
    };
    const looking = inParallel(locations, AT_ONCE, look);
    const searches = locations.map((one) => importersOf(one, this.#ctx, this.#limit).catch(() => []));
    const own = new Set(locations.map(({ path }) => path));
    const found = (await Promise.all(searches)).flat().filter(({ path }) => !own.has(path));
    const users = [...new Map(found.map((one) => [one.path, one])).values()].slice(0, MOST_USERS);
    for (const { path } of users) note(path, undefined);
    await Promise.all([looking, inParallel(users, AT_ONCE, look)]);
    return users;
  }

  /** The errors of the text that is loaded, whatever is on the disk by now; undefined if they are not settled, or may be of a later text. */
  async #errorsOf(location: Location, isBefore: () => boolean): Promise<Errors | undefined> {
    const { files, language } = this.#ctx;
    const document = await files.loadDocument(location);
    const isOrdered = await language.answersInOrder(document);
    if (document.isDirty || !isBefore()) return undefined;
    const { state, diagnostics } = await language.ofText(document, isOrdered ? this.#longest : this.#limit);
    if (state !== 'checked' || !(isOrdered || isBefore())) return undefined;
    return errorsIn(location, diagnostics, this.#ctx);
  }
}

export const errorsIn = (
  location: Location,
  diagnostics: readonly vscode.Diagnostic[],
  ctx: Context,
): Promise<Errors> => problemsOfFile({ location, parts: [{ diagnostics }] }, 'error', ctx);
