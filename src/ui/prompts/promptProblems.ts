import * as vscode from 'vscode';
import type { Controls } from '../controls.ts';

const PROMPT_FILES: vscode.DocumentSelector = [{ language: 'snippets' }, { pattern: '**/*.prompt.md' }];

/** Shows problems of prompt files from when the first is opened or saved: agents load them too, but there may be none. */
export function showPromptProblems({ promptPreview, log }: Pick<Controls, 'promptPreview' | 'log'>) {
  const { Disposable, languages, workspace } = vscode;
  const watching: vscode.Disposable[] = [];
  const look = (document: vscode.TextDocument) => {
    if (languages.match(PROMPT_FILES, document) === 0) return;
    files.dispose();
    const keep = async () => {
      const prompts = await promptPreview();
      watching.push(prompts.watch(() => {}));
      await prompts.list();
    };
    keep().catch(log.error);
  };
  const files = Disposable.from(workspace.onDidOpenTextDocument(look), workspace.onDidSaveTextDocument(look));
  return new Disposable(() => Disposable.from(files, ...watching).dispose());
}
