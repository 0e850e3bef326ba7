import type * as vscode from 'vscode';
import type { Consent, PlannedAction } from '../../access/consent/types.ts';
import { delay } from '../../util/clock.ts';
import type { KeyedQueue } from '../../util/queues.ts';
import type { OwnEdits } from './ownEdits.ts';
import type { EditCall, EditWatcher, JournalAccess } from './request.ts';

/** Milliseconds from typed text to the question that follows it. */
const PAUSE = 300;

/** What one agent's edits need. */
export interface EditAccess extends JournalAccess {
  own: OwnEdits;
  /** Shared by all agents: an edit must not mistake another edit's unsaved text for the user's. */
  editTurns: KeyedQueue;
}

/** One change that the user is asked about. `Plan` is what it does to the texts of one moment, `Done` what was done. */
export abstract class Edit<Plan, Done> {
  protected readonly access: EditAccess;
  protected readonly call: EditCall;
  protected readonly watcher: EditWatcher | undefined;

  constructor(access: EditAccess, call: EditCall, watcher?: EditWatcher) {
    this.access = access;
    this.call = call;
    this.watcher = watcher;
  }

  /** @param last a plan that stands as far as nothing has changed since. @throws UserError if it does not fit the texts of now */
  protected abstract plan(last?: Plan): Promise<Plan>;
  protected abstract actionOf(plan: Plan): PlannedAction;
  /** The documents and notebooks that it would change. */
  protected abstract urisOf(plan: Plan): readonly vscode.Uri[];
  /** What was done; a plan if that differs from the approved one. */
  protected abstract attempt(approved: Plan, consent: Consent): Promise<{ done: Done } | { changed: Plan }>;

  /** Whether a plan may be carried out. @param isSame as the approved one. @throws UserError if the user has switched it off since */
  protected isAgreed(now: Plan, isSame: boolean, consent: Consent): boolean {
    const isAllowed = this.call.isAllowed(this.actionOf(now));
    return consent === 'shown' ? isSame : isAllowed;
  }

  /**
   * Asks for a change, and makes it as the user saw it. While they type under the question it follows, so that it asks for what would
   * be done; if that has become another change after all, they are asked again.
   *
   * @throws UserError if it is denied or does not fit, CancelledError
   */
  protected async askThenMake(first: Plan): Promise<Done> {
    let shown = first;
    for (let again = false; ; again = true) {
      const action = this.actionOf(shown);
      const ready = this.watcher?.asked(action);
      const asked = this.call.approve({
        ...action,
        ...(again && { again }),
        follow: (listener) =>
          this.#follow(shown, (now) => {
            shown = now;
            listener(this.actionOf(now));
          }),
      });
      const [consent] = await Promise.all([asked, ready]);
      this.watcher?.begins?.();
      const result = await this.attempt(shown, consent);
      if ('done' in result) return result.done;
      shown = result.changed;
    }
  }

  /** Plans again after each change of the texts. A plan that does not fit is left out: the answer may come after the next change. */
  #follow(first: Plan, listener: (now: Plan) => void): vscode.Disposable {
    const { workspace } = this.access.vscode;
    const paths = new Set(this.urisOf(first).map(({ path }) => path)); // cells have the path of their notebook
    const over = new AbortController();
    let [last, isPlanning, isOld] = [first, false, false];
    const follow = async () => {
      isPlanning = true;
      do {
        await delay(PAUSE, over.signal).catch(() => {});
        isOld = false;
        const now = over.signal.aborted ? undefined : await this.plan(last).catch(() => undefined);
        if (!now || over.signal.aborted) continue;
        last = now;
        listener(now);
      } while (isOld && !over.signal.aborted);
      isPlanning = false;
    };
    const changed = ({ path }: vscode.Uri) => {
      if (!paths.has(path)) return;
      isOld = true;
      if (!isPlanning) void follow();
    };
    const subscriptions = [
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) changed(document.uri);
      }),
      workspace.onDidChangeNotebookDocument(({ notebook }) => changed(notebook.uri)),
    ];
    return {
      dispose() {
        over.abort();
        for (const one of subscriptions) one.dispose();
      },
    };
  }
}
