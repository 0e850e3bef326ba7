import { UserError } from '../../../core/errors.ts';
import { readActive } from '../../editor/readEditorState.ts';
import { reportProblems } from '../../language/reportProblems.ts';
import { Attachments } from '../attachments.ts';
import { type BuiltIn, stateUri } from './builtIn.ts';
import { pathsWithProblems } from './suggestions.ts';

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
    const attached = new Attachments(ctx);
    attached.text(path, { uri: stateUri('problems', path), text, mimeType: 'text/plain' });
    await attached.file(location);
    const task = l10n.t(
      'Fix the problems that VS Code reports in {0}; they are attached, with the file. Fix the causes: do not silence a check or loosen a type. Then ask VS Code again: these problems must be gone, and no new ones there, also in other files.',
      path,
    );
    return attached.after(task);
  },
});
