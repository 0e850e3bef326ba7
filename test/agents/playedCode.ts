/** What VS Code does of itself in a test's window. */
import { existsSync, readFileSync } from 'node:fs';
import type { Uri } from 'vscode';
import { TSSERVER_REQUEST } from '../../src/tsserver/commands.ts';
import type { TestWindow } from '../wire/testWindow.ts';

/** Its TypeScript finds one error in each text that is bad. */
export function checksTypeScript({ fake }: TestWindow, isBad: (text: string, path: string) => boolean): void {
  fake.extensions.brings({ languages: [{ id: 'typescript', extensions: ['.ts'] }] });
  fake.extensions.installs('typescript', true);
  fake.answers.set(TSSERVER_REQUEST, (command, about) => {
    const { path } = (about as { file: Uri }).file;
    const text = fake.documents.find(({ uri }) => uri.path === path)?.getText() ?? '';
    const place = { start: { line: 1, offset: 1 }, end: { line: 1, offset: 2 } };
    const has = command === 'semanticDiagnosticsSync' && isBad(text, path);
    return { body: has ? [{ ...place, text: 'It is bad.', category: 'error' }] : [] };
  });
}

/** It reads open files again, once others have written them. Returns what ends it. */
export function readsAgain({ fake }: TestWindow): () => void {
  const reading = setInterval(() => {
    for (const document of fake.documents) {
      const { isDirty, uri } = document;
      if (isDirty || !existsSync(uri.fsPath)) continue;
      if (readFileSync(uri.fsPath, 'utf8') !== document.getText()) fake.person.readsAgain(document);
    }
  }, 20);
  return () => clearInterval(reading);
}
