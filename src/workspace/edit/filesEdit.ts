import type * as vscode from 'vscode';
import type { Consent, PlannedAction } from '../../access/consent/types.ts';
import { throwIfCancelled, UserError } from '../../core/errors.ts';
import { clock } from '../../util/clock.ts';
import { isSameChange } from '../../util/lineDiff.ts';
import { inParallel } from '../../util/queues.ts';
import { tabsToCome } from '../../util/tabs.ts';
import { fileStat } from '../read/diskFile.ts';
import { type Location, openDocument } from '../read/location.ts';
import { AppliedEdit, type Done } from './applied.ts';
import { Edit, type EditAccess } from './edit.ts';
import { type NewPath, placesOf } from './operations/operation.ts';
import { listOf, type PlannedOperation, planOperations } from './operations/plannedOperation.ts';
import type { EditCall, EditWatcher, Request, TextRequest } from './request.ts';
import {
  changesSince,
  fileDiff,
  planText,
  planTextAgain,
  requireVersion,
  shownDiffs,
  type TextPlan,
} from './textPlan.ts';

/** Files that are loaded at once: VS Code closes the first ones while it opens more than 50. */
const AT_ONCE = 8;

/**
 * Minimum tries, and milliseconds, while the text keeps changing: the user may be typing in the same file. In a slow or remote
 * window a try takes longer than typing a character.
 */
const TRIES = 20;
const TYPING_TIME = 20_000;

/** What a request changes in the texts and files of one moment. */
export interface Plan {
  texts: TextPlan[];
  operations: PlannedOperation[];
}

/** The key of all calls that make files or folders: each must see what others have made, perhaps parts of a Git directory. */
export const MAKING = 'making';

/**
 * Edits files in the editor, and creates, moves, copies and deletes files: all or nothing, after the user approved all of it in one
 * question. Each text is one undo step. Saved files are saved again; the user's unsaved text stays unsaved. The user approves
 * exactly the changes they saw: if a change differs meanwhile, they are asked again.
 */
export class FilesEdit extends Edit<Plan, Done> {
  readonly #request: Request;
  /** The edits that change something. */
  #edits: readonly TextRequest[];
  /** In the queue of all agents' edits. */
  #keys: readonly string[] = [];

  constructor(access: EditAccess, request: Request, call: EditCall, watcher?: EditWatcher) {
    super(access, call, watcher);
    this.#request = request;
    this.#edits = request.edits;
  }

  /** @throws UserError if the user denies it, a text no longer matches its plan, or an operation fails; NotFoundError, CancelledError */
  async make(): Promise<Done> {
    await this.#makeRoom();
    const planned = await this.plan();
    const texts = planned.texts.filter(({ change }) => change.before !== change.after);
    if (texts.length + planned.operations.length === 0) throw this.#nothingChanges();
    for (const one of texts) this.#requireExpected(one, one.edit.plannedOn);
    this.#edits = texts.map(({ edit }) => edit);
    const changing = { ...planned, texts };
    this.#keys = keysOf(changing);
    return this.askThenMake(changing);
  }

  /** For the texts before and after: an agent may ask for a thousand edits at once, each of which waits for an answer. */
  async #makeRoom(): Promise<void> {
    const { vscode } = this.access;
    const sizes = this.#edits.map(
      async ({ location }) =>
        openDocument(vscode, location)?.getText().length ?? (await fileStat(vscode, location.uri))?.size ?? 0,
    );
    const size = (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
    await this.call.makeRoom?.(2 * size);
  }

  #nothingChanges(): UserError {
    const { edits, undoes, left } = this.#request;
    if (undoes === undefined)
      return new UserError(
        `Nothing would change in ${edits.map(({ location }) => location.path).join(', ')}.`,
      );
    this.access.journal.remove(undoes, left);
    return new UserError(
      `Edit ${undoes} was taken back already${left?.length ? ', as far as it can be' : ''}, in VS Code or by another edit. Nothing was changed.`,
    );
  }

  /** @param consent what the user has said to the last plan */
  protected override async plan(last?: Plan, consent?: Consent): Promise<Plan> {
    const plan = ([index, edit]: [number, TextRequest]) => {
      const known = last?.texts[index];
      return known ? planTextAgain(this.access, known, consent === 'shown') : planText(this.access, edit);
    };
    const { operations = [] } = this.#request;
    return {
      texts: await inParallel([...this.#edits.entries()], AT_ONCE, plan),
      operations: operations.length > 0 ? await planOperations(this.access, operations) : [],
    };
  }

  protected override actionOf({ texts, operations }: Plan): PlannedAction {
    const changed = texts.map((one) =>
      fileDiff(this.access, one.edit.location, { ...one, uri: one.document.uri }),
    );
    const diffs = shownDiffs(changed, operations);
    const deletes = operations.filter(({ operation }) => operation.type === 'delete').length;
    return {
      kind: deletes > 0 ? 'delete' : 'edit',
      ...(deletes > 0 && deletes < diffs.length && { also: 'edit' }),
      subject: diffs[0]?.path ?? '',
      diffs,
      ...this.#request.asks,
    };
  }

  protected override urisOf({ texts }: Plan): vscode.Uri[] {
    return texts.map(({ document }) => document.uri);
  }

  protected override attempt(approved: Plan, consent: Consent) {
    return this.access.editTurns.takeAll(this.#keys, () => this.#attempt(approved, consent));
  }

  async #attempt(approved: Plan, consent: Consent): Promise<{ done: Done } | { changed: Plan }> {
    const until = clock.now() + TYPING_TIME;
    for (let tries = 0; tries < TRIES || clock.now() < until; tries++) {
      throwIfCancelled(this.call.signal);
      // Minutes may have passed: access rules may have changed, and VS Code closes documents that no tab shows.
      const now = await this.plan(approved, consent);
      const isSame =
        now.texts.every((one, index) => this.#isAsApproved(approved.texts[index], one)) &&
        now.operations.every((one, index) => isSameOperation(approved.operations[index], one));
      if (!this.isAgreed(now, isSame, consent)) return { changed: now };
      const closeTabs = tabsToCome(this.access.vscode, this.urisOf(now));
      const applied = new AppliedEdit(this.access, this.#request, this.call, this.watcher);
      if (!(await applied.apply(now.texts))) continue;
      return { done: await applied.finish(now.operations).finally(closeTabs) };
    }
    const names = this.#edits.map(({ location }) => location.path).join(', ');
    throw new UserError(
      `VS Code did not apply the edit to ${names}: its text keeps changing. Try again later.`,
    );
  }

  /** @throws UserError if it has another version than the agent expects */
  #isAsApproved(approved: TextPlan | undefined, now: TextPlan): boolean {
    if (approved?.change === now.change) return true;
    if (approved && approved.change.before !== now.change.before) this.#requireExpected(now);
    return approved !== undefined && isSameChange(approved.change, now.change);
  }

  #requireExpected({ edit, version, change }: TextPlan, plannedOn?: number): void {
    requireVersion(edit.location, version, edit.expectedVersion ?? plannedOn, () =>
      changesSince(this.access, edit.location, change.before),
    );
  }
}

/** Sorted, so that two calls with the same files cannot deadlock. @throws UserError if a file occurs twice */
function keysOf({ texts, operations }: Plan): string[] {
  const keyOf = ({ realPath, uri }: Location | NewPath) => realPath ?? uri.toString();
  const all = operations.map(({ operation }) => operation);
  const moved = new Set(all.flatMap((one) => (one.type === 'move' ? [keyOf(one.location)] : [])));
  const places = [
    ...texts.map(({ edit }) => edit.location).filter((one) => !moved.has(keyOf(one))),
    ...all.flatMap(placesOf),
  ];
  const keys = new Set<string>();
  for (const place of places) {
    const key = keyOf(place);
    if (keys.has(key))
      throw new UserError(`${place.path} is named twice. Name it once, with all its changes.`);
    keys.add(key);
  }
  return [...keys, ...(operations.length > 0 ? [MAKING] : [])].sort();
}

const isSameOperation = (approved: PlannedOperation | undefined, now: PlannedOperation): boolean =>
  approved?.diff.before === now.diff.before &&
  approved.diff.after === now.diff.after &&
  !approved.diff.guard === !now.diff.guard &&
  listOf(approved.entries) === listOf(now.entries);
