import type * as vscode from 'vscode';
import { policyPath } from '../../access/policyInputs.ts';
import { agentName } from '../../core/connectedAgent.ts';
import { ifUserError, UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/visible.ts';
import type { Location } from '../read/location.ts';
import { type AgentEdit, type Deed, makerOf } from './journal.ts';
import type { JournalAccess, Request, TextRequest } from './request.ts';
import { changesIn, type SessionChange } from './sessionChanges.ts';
import { differenceOf, type Undo, undoOf } from './undo.ts';

/** Most files of which is remembered when the agent last got their text. */
const MOST_SEEN = 1_000;
/** Most edits of other agents among which one is looked for that an edit does not fit any more. */
const MOST_CAUSES = 50;

/** An edit as its agent may know it: without texts, and without files that are closed to the agent now. */
export interface OwnEdit extends Pick<AgentEdit, 'id' | 'tool' | 'at'> {
  paths: string[];
}

/** The edits of one agent, and what other agents changed since it last got a text. */
export class OwnEdits {
  readonly #access: JournalAccess;
  /** The last edit of the window when the agent got the text of a file, or first edited it, by URI. */
  readonly #seen = new Map<string, { at: number; isRead: boolean }>();

  constructor(access: JournalAccess) {
    this.#access = access;
  }

  #all(): AgentEdit[] {
    const { journal, author } = this.#access;
    return journal.edits.filter((edit) => edit.author.id === author().id);
  }

  #othersOf(edits: readonly AgentEdit[]): AgentEdit[] {
    return edits.filter((edit) => edit.author.id !== this.#access.author().id);
  }

  /** Call it with each file whose whole text the agent gets. */
  saw({ uri }: Location, isRead = true): void {
    const key = uri.toString();
    this.#seen.delete(key);
    this.#seen.set(key, { at: this.#access.journal.last, isRead });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST_SEEN && oldest) this.#seen.delete(oldest);
  }

  /** Call it with each file that the agent edited: its answer shows no changes of other agents. */
  edited(location: Location): void {
    if (!this.#seen.has(location.uri.toString())) this.saw(location, false);
  }

  /**
   * What other agents changed in a file since this agent last got its text; undefined if they did not, or it is not known.
   *
   * @param text redacted, with `\n` between the lines
   */
  othersChanges({ uri, path }: Location, text: string): string | undefined {
    const { journal, redactor } = this.#access;
    const since = this.#seen.get(uri.toString())?.at;
    if (since === undefined || since === journal.last) return undefined;
    const later = journal.edits.filter(
      ({ id, deeds }) => id > since && deeds.some((deed) => isTextOf(deed, uri)),
    );
    const others = this.#othersOf(later);
    const first = others[0]?.deeds.find((deed) => isTextOf(deed, uri));
    if (first?.type !== 'edit') return undefined;
    const names = [...new Set(others.map((edit) => visible(agentName(makerOf(edit)))))].join(' and ');
    return `Another agent, ${names}, changed it since you read it:\n${differenceOf(path, redactor.text(first.before, path), text)}`;
  }

  /**
   * The edit of another agent that a plan does not fit any more; undefined if there is none among the last ones. Of agents that
   * have read parts of a file only, it is not known since when.
   */
  async causeOf(
    { uri, path }: Location,
    text: string,
    plan: TextRequest['plan'],
  ): Promise<string | undefined> {
    if (this.#seen.get(uri.toString())?.isRead) return undefined;
    const { journal, redactor } = this.#access;
    for (const edit of this.#othersOf(journal.edits).slice(-MOST_CAUSES).reverse())
      for (const deed of edit.deeds) {
        if (deed.type !== 'edit' || !isTextOf(deed, uri)) continue;
        const before = redactor.text(deed.before, path);
        const fits = await (async () => plan(before))().then(() => true, ifUserError(false));
        if (fits)
          return `Another agent, ${visible(agentName(makerOf(edit)))}, changed that:\n${differenceOf(path, before, text)}`;
      }
    return undefined;
  }

  /** As `othersChanges`; if no other agent did, what has changed since this agent's last edit of the file. */
  changes(location: Location, text: string): string | undefined {
    const { uri, path } = location;
    const own = this.#all()
      .flatMap(({ deeds }) => deeds)
      .findLast((deed) => isTextOf(deed, uri));
    const before = own?.type === 'edit' ? this.#access.redactor.text(own.after, path) : text;
    const others = this.othersChanges(location, text);
    if (others !== undefined || before === text) return others;
    return `Since your last edit of it:\n${differenceOf(path, before, text)}`;
  }

  /** Edits that can be undone, newest first. */
  list(): OwnEdit[] {
    return this.#all()
      .filter((edit) => !this.#isKept(edit))
      .map(({ id, tool, at, deeds }) => ({
        id,
        tool,
        at,
        paths: [...new Set(deeds.flatMap((deed) => this.#pathsOf(deed)))],
      }))
      .reverse();
  }

  #isKept({ id, byOwnTool, deeds }: AgentEdit): boolean {
    const { journal } = this.#access;
    return byOwnTool ? deeds.every(({ uri }) => journal.isKept(id, uri)) : journal.isKept(id);
  }

  #pathsOf(deed: Deed): string[] {
    const { policy } = this.#access;
    const shown = (uri: vscode.Uri, path: string) => (policy.mayList(policyPath(uri)) ? [path] : []);
    return [...shown(deed.uri, deed.path), ...(deed.type === 'move' ? shown(deed.to, deed.toPath) : [])];
  }

  /** What they changed in files that are open to the agent, redacted; those of one edit, if an id is given. */
  changed(id?: number): SessionChange[] {
    const { policy, redactor } = this.#access;
    return changesIn(this.#all().filter((edit) => id === undefined || edit.id === id))
      .filter(({ uri }) => policy.mayList(policyPath(uri)))
      .map((one) => ({
        ...one,
        before: redactor.text(one.before, one.path),
        after: redactor.text(one.after, one.path),
      }));
  }

  /**
   * The request that takes back one of them, the last one without an id; and the tool that made it.
   *
   * @throws UserError if there is no such edit, or it cannot be taken back; NotFoundError
   */
  async requestToUndo(
    requireFit: (undo: Undo) => Promise<unknown>,
    id?: number,
  ): Promise<{ tool: string; request: Required<Request> }> {
    const { journal } = this.#access;
    const edit = this.#ownEdit(id);
    const request = await this.#undoOf(edit, requireFit).catch((error) => {
      if (!(error instanceof UserError)) throw error;
      const hint = id === undefined ? ' Pass list: true for the ids of others.' : '';
      throw new UserError(`Edit ${edit.id} (${edit.tool}) cannot be taken back: ${error.message}${hint}`, {
        lines: true,
      });
    });
    if (request.edits.length + request.operations.length > 0) return { tool: edit.tool, request };
    journal.remove(edit.id, request.left);
    throw new UserError(`Edit ${edit.id} (${edit.tool}) is taken back already.`);
  }

  /** @throws UserError */
  #ownEdit(id: number | undefined): AgentEdit {
    const { journal, author } = this.#access;
    const edit = id === undefined ? this.#all().at(-1) : journal.edits.find((one) => one.id === id);
    if (edit?.author.id === author().id) return edit;
    if (edit) throw new UserError(`Edit ${edit.id} is not yours. The user can revert it in VS Code.`);
    throw new UserError(
      id === undefined
        ? 'There is no edit of yours to take back in this session.'
        : `There is no edit ${id} of yours: it was taken back, or is too old. Pass list: true.`,
    );
  }

  async #undoOf(edit: AgentEdit, requireFit: (undo: Undo) => Promise<unknown>): Promise<Required<Request>> {
    const { journal } = this.#access;
    if (this.#isKept(edit)) throw new UserError('the user has kept its changes, or committed them.');
    const later = journal.edits.filter((one) => one.id > edit.id);
    return undoOf(edit, { ...this.#access, later, requireFit });
  }
}

const isTextOf = (deed: Deed, uri: vscode.Uri): boolean =>
  deed.type === 'edit' && deed.uri.toString() === uri.toString();
