import { CancelledError } from '../../../core/errors.ts';
import type { Context } from '../../context.ts';
import type { PromptCall } from '../promptSource.ts';

/**
 * The text of the clipboard if the user gives it to this prompt: it was copied for another place. Undefined without a yes.
 *
 * @throws CancelledError
 */
export async function clipboardText(
  prompt: string,
  { vscode: { env, l10n, window } }: Context,
  { signal }: PromptCall,
): Promise<string | undefined> {
  // Enter chooses the first button, and the user may be typing when the question opens.
  const buttons = [l10n.t('Do Not Give'), l10n.t('Give Clipboard')] as const;
  const question = l10n.t(
    'Give the agent the text in your clipboard? It asks for the prompt "{0}", which has it in it.',
    prompt,
  );
  const cancelled = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new CancelledError('The request was cancelled.')));
  });
  const answer = await Promise.race([
    window.showWarningMessage(question, { modal: true }, ...buttons),
    cancelled,
  ]);
  return answer === buttons[1] ? (await env.clipboard.readText()) || undefined : undefined;
}
