import * as vscode from 'vscode';
import type { PlaceOfProblem } from './place.ts';

/** Offers on a problem to send it to an agent. */
export const offerOnProblems = (): vscode.Disposable =>
  vscode.languages.registerCodeActionsProvider(
    { scheme: 'file' },
    {
      provideCodeActions: ({ uri }, _range, { diagnostics }) => diagnostics.map((one) => offer(uri, one)),
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );

/** Agents do not get this kind: nothing that an agent does sends something to another one. */
const kind = () => vscode.CodeActionKind.QuickFix.append('workspaceMcp');

function offer(uri: vscode.Uri, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const title = vscode.l10n.t('Send to Agent…');
  const place: PlaceOfProblem = { uri, diagnostic };
  const command = { command: 'workspaceMcp.sendToAgent', title, arguments: [place] };
  return { title, kind: kind(), diagnostics: [diagnostic], command };
}
