import * as vscode from 'vscode';

/** The frame of one question of a form. */
export interface Frame {
  title: string;
  step: number;
  totalSteps: number;
}

/** The properties of its input: "Back" from the second step on, and "Decline". */
export const framed = (frame: Frame) => ({
  ...frame,
  buttons: [
    ...(frame.step > 1 ? [vscode.QuickInputButtons.Back] : []),
    { iconPath: new vscode.ThemeIcon('circle-slash'), tooltip: vscode.l10n.t('Decline') },
  ],
});

/** What a button of the frame means. */
export const replyOf = (button: vscode.QuickInputButton): 'back' | 'decline' =>
  button === vscode.QuickInputButtons.Back ? 'back' : 'decline';
