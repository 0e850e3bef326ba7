import type { PromptSyntaxProblem } from '../../../core/promptFiles/syntaxError.ts';
import type { Context } from '../../context.ts';

/** What is wrong in a prompt file, for the user. */
export function problemText(problem: PromptSyntaxProblem, { vscode: { l10n } }: Context): string {
  switch (problem) {
    case 'headerOpen':
      return l10n.t('Agents do not get this prompt: its header has no end. Add a line with ---.');
    case 'headerLine':
      return l10n.t('Agents do not get this prompt: this line of its header is not "key: value".');
    case 'fieldTwice':
      return l10n.t('Agents do not get this prompt: this field is set twice.');
    case 'textOpen':
      return l10n.t('Agents do not get this prompt: the closing quote is missing.');
    case 'textAfter':
      return l10n.t('Agents do not get this prompt: there is more text after the closing quote.');
    case 'toml':
      return l10n.t('Agents do not get this prompt: this is not TOML.');
    case 'noPrompt':
      return l10n.t('Agents do not get this prompt: it has no text. Add prompt = "…".');
  }
}
