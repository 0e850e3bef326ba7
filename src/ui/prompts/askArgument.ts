import type { PromptArgument } from '@modelcontextprotocol/server';
import * as vscode from 'vscode';
import { answerOf } from '../hosting/questions/quickInputs.ts';

export interface ArgumentQuestion {
  title: string;
  argument: PromptArgument;
  step: number;
  totalSteps: number;
  /** Values that begin as typed. */
  complete(typed: string): Promise<readonly string[]>;
}

interface Row extends vscode.QuickPickItem {
  /** Undefined if it is what is typed. */
  value?: string;
}

/** Asks for the value of an argument; empty if it is left out, undefined if the user closes it. */
export function askArgument(
  { title, argument, step, totalSteps, complete }: ArgumentQuestion,
  signal: AbortSignal,
): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<Row>();
  const placeholder = [argument.name, argument.description].filter(Boolean).join(': ');
  Object.assign(pick, { title, placeholder, step, totalSteps });
  const refresh = async () => {
    const typed = pick.value;
    pick.items = rowsOf(typed, [], argument);
    const values = await complete(typed).catch(() => []); // nothing to suggest
    if (pick.value === typed) pick.items = rowsOf(typed, values, argument);
  };
  void refresh();
  return answerOf<string>(pick, signal, (answer) => [
    pick.onDidChangeValue(() => void refresh()),
    pick.onDidAccept(() => {
      // It may be drawn before the last character was typed, or not at all yet.
      const value = pick.selectedItems[0]?.value ?? pick.value;
      if (value === '' && argument.required) return;
      if (!value.endsWith('/') || value === pick.value) return answer(value);
      pick.value = value; // a folder: its files are next
      void refresh();
    }),
  ]);
}

/** What was typed first, then what would complete it. */
function rowsOf(typed: string, values: readonly string[], { required }: PromptArgument): Row[] {
  const { l10n } = vscode;
  const own: Row[] =
    typed === ''
      ? [{ label: l10n.t('Leave it out'), alwaysShow: true }]
      : [{ label: typed, description: l10n.t('as typed'), alwaysShow: true }];
  const others = values.filter((value) => value !== typed);
  const rows = others.map((value) => ({ label: value, value, alwaysShow: true }));
  return typed === '' && required ? rows : [...own, ...rows];
}
