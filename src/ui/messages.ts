import * as vscode from 'vscode';

export type MessageButton = readonly [label: string, run: () => unknown];

/**
 * Shows a message, and does what belongs to the clicked button: nothing if the user closes it.
 *
 * @param detail makes the message a dialog
 */
export async function showMessage(
  kind: 'Information' | 'Warning' | 'Error',
  text: string,
  buttons: readonly MessageButton[],
  detail?: string,
): Promise<void> {
  const show: (text: string, ...rest: unknown[]) => Thenable<unknown> = vscode.window[`show${kind}Message`];
  const options = detail === undefined ? [] : [{ modal: true, detail }];
  const clicked = await show(text, ...options, ...buttons.map(([label]) => label));
  await buttons.find(([label]) => label === clicked)?.[1]();
}

/** Asks in a dialog. @param yes label of the button that confirms */
export const confirmed = async (text: string, detail: string, yes: string): Promise<boolean> =>
  (await vscode.window.showWarningMessage(text, { modal: true, detail }, yes)) === yes;

/** Shows in the status bar what goes on until the task ends. */
export const withProgress = <T>(title: string, task: () => Thenable<T>): Thenable<T> =>
  vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, task);
