import type * as vscode from 'vscode';
import type { ServedLanguage } from '../../core/lsp/door.ts';
import { isNotebookPath } from '../../workspace/read/notebooks.ts';
import { checkersOf } from './checkers.ts';
import type { ContributedLanguage } from './languages.ts';

/** The languages for which an extension of the window runs code, as a language server is; those without files of their own are left out. */
export function servedLanguages(code: typeof vscode): ServedLanguage[] {
  const endings = new Map<string, Set<string>>();
  for (const { packageJSON } of code.extensions.all)
    for (const { id, extensions = [] } of (packageJSON.contributes?.languages ?? []) as ContributedLanguage[])
      for (const one of extensions.filter((ending) => !isNotebookPath(ending)))
        endings.set(id, (endings.get(id) ?? new Set()).add(one));
  return [...endings]
    .filter(([id]) => checkersOf(code, id).length > 0)
    .map(([id, extensions]) => ({ id, extensions: [...extensions].sort() }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
