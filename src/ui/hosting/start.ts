import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors.ts';
import type { Hosted, ServerInput } from '../../hosting/index.ts';
import { oneLine, quoted, withProgress } from '../messages.ts';

interface PickItem extends vscode.QuickPickItem {
  value: string;
}

/**
 * Starts a server afresh, after the user has entered the values that it needs.
 *
 * @returns whether it runs; false if the user does not enter a value
 * @throws Error that says why it does not start
 */
export async function start(server: Hosted): Promise<boolean> {
  const title = vscode.l10n.t('Starting the MCP server {0}…', quoted(server.name, 60));
  for (;;) {
    try {
      await withProgress(title, () => server.restart());
      return true;
    } catch (error) {
      if (server.missingInputs.length === 0) throw error;
    }
    if (!(await enterAll(server, server.missingInputs))) return false;
  }
}

/** Opens the user's browser at the server's sign-in, and waits until that is done or the user cancels. @throws what it throws */
export async function authorize({ name, signIn }: Hosted): Promise<void> {
  const title = vscode.l10n.t('Waiting for you to sign in at {0} in your browser…', quoted(name, 60));
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  if (!signIn) return;
  await vscode.window.withProgress(options, async (_, cancellation) => {
    const abort = new AbortController();
    cancellation.onCancellationRequested(() => abort.abort());
    await signIn.authorize(abort.signal).catch((error) => {
      if (!(error instanceof CancelledError)) throw error;
    });
  });
}

/** Asks for values and keeps them in VS Code's secret storage. @returns false if the user cancels */
export async function enterAll(server: Hosted, inputs: readonly ServerInput[]): Promise<boolean> {
  for (const input of inputs) {
    const value = await enteredValue(server, input);
    if (value === undefined) return false;
    await server.enter(input.id, value);
  }
  return true;
}

async function enteredValue(server: Hosted, input: ServerInput): Promise<string | undefined> {
  const { l10n, window } = vscode;
  const title = l10n.t('{0} of the MCP server {1}', oneLine(input.id, 60), quoted(server.name, 40));
  const about = oneLine(input.description ?? l10n.t('It is kept in the secret storage of VS Code.'));
  const options = { title, ignoreFocusOut: true };
  if (input.type === 'promptString')
    return window.showInputBox({
      ...options,
      prompt: about,
      password: input.password,
      // The user would accept a hidden default without having read it: a file of the workspace may have it.
      ...(input.default !== undefined && !input.password && { value: input.default }),
    });
  return (await window.showQuickPick(pickItems(input), { ...options, placeHolder: about }))?.value;
}

/** The options, the default first, each with its value: a label may say something else. */
export function pickItems({
  options,
  default: first,
}: Extract<ServerInput, { type: 'pickString' }>): PickItem[] {
  return options
    .map((option) => (typeof option === 'string' ? { label: option, value: option } : option))
    .sort((a, b) => Number(b.value === first) - Number(a.value === first))
    .map(({ label, value }) => {
      const [shown, description] = [oneLine(label ?? value, 60), oneLine(value, 1_000)];
      return { label: shown, value, ...(description !== shown && { description }) };
    });
}
