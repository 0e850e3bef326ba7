import * as vscode from 'vscode';

/** An entry of a list that runs an action when selected. */
export interface MenuAction extends vscode.QuickPickItem {
  run?(): unknown;
  /** The list stays open and is refreshed. */
  staysOpen?: boolean;
  buttons?: readonly ActionButton[];
}

export interface ActionButton extends vscode.QuickInputButton {
  run(): unknown;
}

export const runs = (command: string) => () => vscode.commands.executeCommand(command);

export const actionButton = (icon: string, tooltip: string, run: () => unknown): ActionButton => ({
  iconPath: new vscode.ThemeIcon(icon),
  tooltip,
  run,
});

export const separator = (label: string): MenuAction => ({ label, kind: vscode.QuickPickItemKind.Separator });

/** Actions under a title; empty if there are none. */
export const section = (title: string, actions: MenuAction[]): MenuAction[] =>
  actions.length > 0 ? [separator(title), ...actions] : [];

export interface ActionList {
  title: string;
  placeholder(): string;
  actions(): MenuAction[];
  onDidChange(listener: () => void): vscode.Disposable;
}

export function showActions({ title, placeholder, actions, onDidChange }: ActionList): void {
  const pick = vscode.window.createQuickPick<MenuAction>();
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
