import { type ElicitRequestFormParams, inputRequired } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { InquiryRequest, Reply } from '../../access/consent/types.ts';
import { fieldsOf } from '../../core/json.ts';
import type { Input } from '../context.ts';
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
    if (answer !== undefined) return text(inWords(replyOf(answer, choices)));
    if (takesForms(input) && !isAtWindow(vscode.window.state))
      return input.ask({ answer: inputRequired.elicit({ message, requestedSchema: formOf(inquiry) }) });
    return text(inWords(await inquire(inquiry)));
  },
});

/** Whether the client can show a form to the user. Without a mode it is a form (MCP, client/elicitation). */
const takesForms = ({ capabilities: { elicitation } }: Input): boolean =>
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);

const isAtWindow = ({ focused, active }: { focused: boolean; active: boolean }): boolean => focused || active;

function formOf({ choices, freeText }: InquiryRequest): ElicitRequestFormParams['requestedSchema'] {
  const title = 'Answer';
  const own = {
    type: 'string' as const,
    title,
    ...(choices.length > 0 && { description: choices.join(' / ') }),
  };
  const chosen = { type: 'string' as const, title, enum: [...choices] };
  return { type: 'object', properties: { answer: freeText ? own : chosen }, required: ['answer'] };
}

/** @param result an ElicitResult, unchecked */
function replyOf(result: unknown, choices: readonly string[]): Reply {
  const { action, content } = fieldsOf(result);
  const { answer } = fieldsOf(content);
  if (action !== 'accept' || typeof answer !== 'string') return { dismissed: true };
  return choices.includes(answer) ? { choice: answer } : { words: answer };
}

function inWords(reply: Reply | undefined): string {
  if (!reply) return 'Nobody answered in time. Continue without the answer, or ask again later.';
  if ('choice' in reply) return `The user chose: ${reply.choice}`;
  if ('words' in reply) return `The user answered: ${reply.words}`;
  return 'The user dismissed the question. Continue without the answer; do not ask it again.';
}
