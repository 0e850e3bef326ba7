import * as vscode from 'vscode';
import { throwIfCancelled } from '../../../core/errors.ts';
import { clock } from '../../../util/clock.ts';

/** Milliseconds until a question accepts an answer that allows or sends something: the user may be typing when it opens. */
export const TIME_TO_READ = 1_000;

/**
 * Shows an input until it is answered.
 *
 * @param listen subscribes to what answers it
 * @returns undefined if the user closes it
 * @throws CancelledError once the signal is aborted
 */
export async function answerOf<T>(
  input: vscode.QuickInput,
  signal: AbortSignal,
  listen: (answer: (value: T) => void) => vscode.Disposable[],
): Promise<T | undefined> {
  throwIfCancelled(signal);
  const { promise, resolve } = Promise.withResolvers<T | undefined>();
  const end = () => resolve(undefined);
  const subscriptions = vscode.Disposable.from(input, input.onDidHide(end), ...listen(resolve));
  signal.addEventListener('abort', end);
  input.ignoreFocusOut = true;
  input.show();
  try {
    const answer = await promise;
    throwIfCancelled(signal);
    return answer;
  } finally {
    signal.removeEventListener('abort', end);
    subscriptions.dispose();
  }
}

export interface Row<T> extends vscode.QuickPickItem {
  answer?: T;
}

/** Properties of the input, what its rows mean, and what its buttons do. */
export interface Decision<T> {
  title: string;
  placeholder: string;
  rows: Row<T>[];
  step?: number;
  totalSteps?: number;
  buttons?: vscode.QuickInputButton[];
  onButton?(button: vscode.QuickInputButton): T;
}

/** Lets the user decide, with no row selected at first. Returns and throws as {@link answerOf}. */
export function decide<T>(
  { rows, onButton, ...properties }: Decision<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  const pick = vscode.window.createQuickPick<Row<T>>();
  Object.assign(pick, properties, { items: rows, activeItems: [] });
  const openedAt = clock.now();
  return answerOf<T>(pick, signal, (answer) => [
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      if (clock.now() - openedAt < TIME_TO_READ)
        pick.selectedItems = []; // or the next click on it does nothing
      else if (row?.answer !== undefined) answer(row.answer);
    }),
    pick.onDidTriggerButton((button) => onButton && answer(onButton(button))),
  ]);
}
