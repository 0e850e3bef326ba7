import * as z from 'zod';
import { inquiryForm, inquiryReply, takesForms } from '../../access/consent/form.ts';
import type { Reply } from '../../access/consent/types.ts';
import { defineReadTool, text } from '../tool.ts';

export const askUser = defineReadTool({
  name: 'ask_user',
  title: 'Ask the user in VS Code',
  description:
    'Asks the user a question in VS Code and waits for the answer. Use it when only the user can decide. The answer approves nothing.',
  group: 'editor',
  input: z.strictObject({
    message: z.string().trim().min(1).max(4_000),
    choices: z.array(z.string().trim().min(1).max(200)).min(2).max(10).optional(),
    freeText: z.boolean().optional().describe('May answer in own words; default without choices'),
  }),
  async run({ message, choices = [], freeText }, { vscode }, { input, inquire }) {
    const inquiry = { message, choices, freeText: freeText || choices.length === 0 };
    const { answer } = input.answers;
    if (answer !== undefined) return text(inWords(inquiryReply(answer, choices) ?? { dismissed: true }));
    if (takesForms(input.capabilities) && !isAtWindow(vscode.window.state))
      return input.ask({ answer: inquiryForm(inquiry) });
    return text(inWords(await inquire(inquiry)));
  },
});

const isAtWindow = ({ focused, active }: { focused: boolean; active: boolean }): boolean => focused || active;

function inWords(reply: Reply | undefined): string {
  if (!reply) return 'Nobody answered in time. Continue without the answer, or ask again later.';
  if ('choice' in reply) return `The user chose: ${reply.choice}`;
  if ('words' in reply) return `The user answered: ${reply.words}`;
  return 'The user dismissed the question. Continue without the answer; do not ask it again.';
}
