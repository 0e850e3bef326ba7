import { UserError } from '../../../core/errors.ts';
import { readActive } from '../../editor/readEditorState.ts';
import { Attachments } from '../attachments.ts';
import { type BuiltIn, linesUri } from './builtIn.ts';

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
    const attached = new Attachments(ctx);
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
