import type * as vscode from 'vscode';
import type { Approver, Consent, PlannedAction } from '../../access/consent/types.ts';
import { delay } from '../../util/clock.ts';

/** Milliseconds from typed text to the question that follows it. */
const PAUSE = 300;

/** One change that the user is asked about. `P` is its plan on the texts of one moment, `R` what was done. */
export interface AskedChange<P, R> {
  vscode: typeof vscode;
  call: Approver;
  /** Plans again. @throws UserError if it does not fit the texts any more */
  plan(last: P): Promise<P>;
  actionOf(plan: P): PlannedAction;
  /** The documents and notebooks that it would change. */
  urisOf(plan: P): readonly vscode.Uri[];
  /** What was done; a plan if that differs from what the user saw. */
  attempt(shown: P, consent: Consent): Promise<{ done: R } | { changed: P }>;
}

/**
 * Asks for a change, and makes it as the user saw it. While they type under the question it follows, so that it asks for what would
 * be done; if that has become another change after all, they are asked again.
 *
 * @throws UserError if it is denied or does not fit, CancelledError
 */
export async function askUntilDone<P, R>(first: P, asking: AskedChange<P, R>): Promise<R> {
  const { call, actionOf, attempt } = asking;
  let shown = first;
  for (let again = false; ; again = true) {
    const consent = await call.approve({
      ...actionOf(shown),
      ...(again && { again }),
      follow: (listener) =>
        followTexts(shown, asking, (now) => {
          shown = now;
          listener(actionOf(now));
        }),
    });
    const result = await attempt(shown, consent);
    if ('done' in result) return result.done;
    shown = result.changed;
  }
}

/** Plans again after each change of the texts. A plan that does not fit is left out: the answer may come after the next change. */
function followTexts<P>(
  first: P,
  { vscode, plan, urisOf }: Pick<AskedChange<P, unknown>, 'vscode' | 'plan' | 'urisOf'>,
  listener: (now: P) => void,
): vscode.Disposable {
  const paths = new Set(urisOf(first).map(({ path }) => path)); // cells have the path of their notebook
  const over = new AbortController();
  let [last, isPlanning, isOld] = [first, false, false];
  const follow = async () => {
    isPlanning = true;
    do {
      await delay(PAUSE, over.signal).catch(() => {});
      isOld = false;
      const now = over.signal.aborted ? undefined : await plan(last).catch(() => undefined);
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
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) changed(document.uri);
    }),
    vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => changed(notebook.uri)),
  ];
  return {
    dispose() {
      over.abort();
      for (const one of subscriptions) one.dispose();
    },
  };
}
