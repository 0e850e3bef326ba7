import { readSymbols } from '../../services/language/symbols/outline.ts';
import { editorResource } from '../editorResource.ts';
import { notebookOf } from './fileProblems.ts';
import { reportProblems } from './getDiagnostics.ts';

/** The reports of the language servers, for all files and for one. */
export const problems = editorResource({
  name: 'problems',
  all: {
    title: 'Problems',
    description: 'Errors and warnings of all files that VS Code has checked, as in get_diagnostics.',
    priority: 0.9,
    read: async (ctx, call) => (await reportProblems({}, ctx, call)).report,
  },
  ofFile: {
    title: 'Problems of a file',
    description: 'Errors and warnings of one file, as in get_diagnostics. Waits until it is checked.',
    read: async (path, ctx, call) => (await reportProblems({ named: [path] }, ctx, call)).report,
  },

  follow({ vscode, language, files }, { of, only }) {
    const reported = language.onDidChange((changed) => {
      const uri = notebookOf(vscode, changed)?.uri ?? changed;
      if (files.mayKnow(uri)) of(uri);
    });
    // A file without a tab gets no report until somebody asks for one.
    return vscode.Disposable.from(reported, files.watchContent(only));
  },
});

export const symbols = editorResource({
  name: 'symbols',
  ofFile: {
    title: 'Symbols of a file',
    description:
      'The outline of a file by its language server: nested classes, functions and other symbols with their lines.',
    read: readSymbols,
  },

  follow: ({ files }, { of }) => files.watchContent(of),
});
