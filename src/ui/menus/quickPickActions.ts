import * as vscode from 'vscode';

/** An entry of a list that runs an action when selected. */
export interface Action extends vscode.QuickPickItem {
  run?(): unknown;
  /** The list stays open and is refreshed. */
  staysOpen?: boolean;
  buttons?: readonly ActionButton[];
}

export interface ActionButton extends vscode.QuickInputButton {
  run(): unknown;
}

export const separator = (label: string): Action => ({ label, kind: vscode.QuickPickItemKind.Separator });

/** Actions under a title; empty if there are none. */
export const section = (title: string, actions: Action[]): Action[] =>
  actions.length > 0 ? [separator(title), ...actions] : [];

export interface ActionList {
  title: string;
  placeholder(): string;
  actions(): Action[];
  /** Refreshes the open list. */
  onDidChange: vscode.Event<unknown>;
}

/** Shows a list of actions and runs the selected one. */
export function showActions({ title, placeholder, actions, onDidChange }: ActionList): void {
  const pick = vscode.window.createQuickPick<Action>();
  pick.title = title;
  pick.matchOnDescription = true;
  pick.keepScrollPosition = true;
  const refresh = () => {
    pick.placeholder = placeholder();
    pick.items = actions();
  };
  refresh();
  const subscriptions = vscode.Disposable.from(
    pick,
    onDidChange(refresh),
    pick.onDidAccept(() => {
      const [action] = pick.selectedItems;
      if (!action?.staysOpen) pick.hide();
      void perform(action?.run).then(() => action?.staysOpen && refresh());
    }),
    pick.onDidTriggerItemButton(({ button }) => void perform((button as ActionButton).run).then(refresh)),
    pick.onDidHide(() => subscriptions.dispose()),
  );
  pick.show();
}

async function perform(run: (() => unknown) | undefined): Promise<void> {
  try {
    await run?.();
  } catch (error) {
    void vscode.window.showErrorMessage((error as Error).message);
  }
}
