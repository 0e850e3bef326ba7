import { UserError } from '../../../core/errors.ts';
import { readActive } from '../../editor/readEditorState.ts';
import { reportProblems } from '../../language/getDiagnostics.ts';
import { attachmentsFor } from '../attachments.ts';
import { type BuiltIn, linesUri, pathsWithProblems, stateUri } from './builtIn.ts';

/** What the user has selected in the active editor. */
export const explainSelection: BuiltIn = ({ vscode: { l10n } }) => ({
  name: 'explain_selection',
  title: l10n.t('Explain Selection'),
  description: l10n.t('Explains the code that is selected in the editor.'),
  arguments: [
    {
      name: 'question',
      description: l10n.t('What you want to know of it; everything if left out'),
      required: false,
    },
  ],
  async get({ question }, ctx) {
    const { active } = await readActive(ctx);
    const selections = active?.selections ?? [];
    const [first] = selections;
    if (!active || !first)
      throw new UserError(
        'Nothing is selected in a file that you may read. Ask the user to select some code in VS Code.',
      );
    const attached = attachmentsFor(ctx);
    const location = await ctx.files.locateShown(active.path);
    for (const { line, endLine = line, text } of selections)
      attached.text(active.path, { uri: linesUri(location, line, endLine), text });
    const { path } = active;
    const task = l10n.t(
      'Explain the attached code of {0}, line {1}: what it does, how, and why it may be written this way. Look up the definitions and callers that it depends on. Say what is surprising or wrong.',
      path,
      `${first.line}`,
    );
    return attached.after([task, question].filter(Boolean).join('\n\n'));
  },
});

/** The problems of a file, with its text. */
export const fixProblems: BuiltIn = ({ vscode: { l10n } }) => ({
  name: 'fix_problems',
  title: l10n.t('Fix Problems of a File'),
  description: l10n.t('Fixes the errors and warnings that VS Code reports in a file.'),
  arguments: [{ name: 'path', description: l10n.t('The file; the active one if left out'), required: false }],
  complete: ({ value }, ctx, { signal }) => pathsWithProblems(value, ctx, signal),
  async get(args, ctx, call) {
    const named = args.path || (await readActive(ctx)).active?.path;
    if (!named) throw new UserError('No file is active in VS Code that you may read. Pass path.');
    const location = await ctx.files.locate(named);
    const { path } = location;
    const { report, text } = await reportProblems({ named: [path] }, ctx, call);
    if (report.count === 0) throw new UserError(`There is nothing to fix in ${path}. ${text}`);
    const attached = attachmentsFor(ctx);
    attached.text(path, { uri: stateUri('problems', path), text, mimeType: 'text/plain' });
    await attached.file(location);
    const task = l10n.t(
      'Fix the problems that VS Code reports in {0}; they are attached, with the file. Fix the causes: do not silence a check or loosen a type. Then ask VS Code again: these problems must be gone, and no new ones there, also in other files.',
      path,
    );
    return attached.after(task);
  },
});
