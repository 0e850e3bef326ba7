import { editorResource } from '../editorResource.ts';
import { notebookOf } from './notebookProblems.ts';
import { reportProblems } from './reportProblems.ts';

/** What the language servers report, for all files and for one. */
export const problems = editorResource({
  name: 'problems',
  all: {
    title: 'Problems',
    description: 'The errors and warnings of all files that VS Code has checked, as get_diagnostics answers.',
    priority: 0.9,
    read: async (ctx, call) => (await reportProblems({}, ctx, call)).report,
  },
  ofFile: {
    title: 'Problems of a file',
    description: 'Its errors and warnings, waited for until it is checked, as get_diagnostics answers.',
    read: async (path, ctx, call) => (await reportProblems({ named: [path] }, ctx, call)).report,
  },

  follow({ vscode, language, files }, { of, only }) {
    const reported = language.onDidChange((changed) => {
      const uri = notebookOf(vscode, changed)?.uri ?? changed;
      if (files.mayTellOf(uri)) of(uri);
    });
    // Of a file that no tab shows nothing is reported until somebody asks.
    return vscode.Disposable.from(reported, files.watchContent(only));
  },
});
