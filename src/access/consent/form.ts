/** Questions as forms that a client shows to the user (MCP, client/elicitation), and their answers. */
import { fieldsOf } from '../../core/json.ts';
import { allVisibleText } from '../../core/text/visible.ts';
import type { Answer, ApprovalRequest, Form, InquiryRequest, Reply, WaitingCall } from './types.ts';

/** Longest message, in UTF-16 units, and most lines: a terminal shows all of it. */
const LONGEST = 2_000;
const MOST_LINES = 30;
/** Most forms of one question: a client may answer what is no answer. */
const MOST_FORMS = 3;

/** Claude Code does not ask for the task again, so does not see an answer, while a form of it is open. */
const ELSEWHERE = 'The question waits in VS Code, too: once it is answered there, close this form.';

const ALLOW = 'Allow once';
const DENY = 'Deny';

/** Whether a client can show a form to the user. Without a mode it is a form. */
export const takesForms = ({
  elicitation,
}: {
  elicitation?: { form?: unknown; url?: unknown } | undefined;
}): boolean => elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);

/**
 * A question about an action, with all that is shown of it; undefined if a form cannot show that: changes of files are a diff, and
 * what is long stays in VS Code.
 */
export function approvalForm(request: ApprovalRequest): Form | undefined {
  const {
    tool,
    kind,
    subject,
    server,
    commandLine,
    intent,
    follow,
    diffs = [],
    arguments: given = {},
  } = request;
  if (diffs.length > 0 || follow) return undefined;
  const key = intent?.type === 'type' && { key: intent.key };
  const shown = Object.entries({ ...given, ...key }).map(([name, value]) => `${name}: ${textOf(value)}`);
  const also = [request.also ?? []].flat();
  const lines = [
    `${tool} asks to go on (${[kind, ...also].join(', ')}):`,
    ...(server ? [`${server.name}: ${subject}`, server.description ?? ''] : [subject]),
    ...(commandLine === undefined || isSame(commandLine, subject) ? [] : [commandLine]),
    ...shown,
    `${ELSEWHERE} An answer here allows the call once.`,
  ];
  // What goes on in another line is no line of ours.
  const message = lines.map((line) => allVisibleText(line).replaceAll('\n', '\n│ ')).join('\n');
  const decision = { type: 'string' as const, title: 'Decision', enum: [ALLOW, DENY] };
  const reason = { type: 'string' as const, title: 'Reason', description: 'For the agent, if you deny it' };
  const isLong = message.length > LONGEST || message.split('\n').length > MOST_LINES;
  return isLong ? undefined : formOf(message, { decision, reason }, ['decision']);
}

/** A subject is on one line. */
const isSame = (line: string, subject: string): boolean => line.replaceAll('\n', ' ⏎ ') === subject;

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);

/** It never allows more than once. @param result an ElicitResult, unchecked. @returns undefined if the form was only closed */
export function approvalAnswer(result: unknown): Answer | undefined {
  const { action, content } = fieldsOf(result);
  const { decision, reason } = fieldsOf(content);
  if (action === 'accept' && decision === ALLOW) return { allow: 'once' };
  if (action !== 'decline' && (action !== 'accept' || decision !== DENY)) return undefined;
  return { deny: typeof reason === 'string' ? reason.slice(0, LONGEST) : '' };
}

/** An agent's own question. @param isInVscode whether it waits there, too */
export function inquiryForm({ message, choices, freeText }: InquiryRequest, isInVscode = false): Form {
  const title = 'Answer';
  const own = {
    type: 'string' as const,
    title,
    ...(choices.length > 0 && { description: choices.join(' / ') }),
  };
  const chosen = { type: 'string' as const, title, enum: [...choices] };
  return formOf(isInVscode ? `${message}\n${ELSEWHERE}` : message, { answer: freeText ? own : chosen }, [
    'answer',
  ]);
}

/** @param result an ElicitResult, unchecked. @returns undefined if the form was only closed */
export function inquiryReply(result: unknown, choices: readonly string[]): Reply | undefined {
  const { action, content } = fieldsOf(result);
  const { answer } = fieldsOf(content);
  if (action === 'accept' && typeof answer === 'string')
    return choices.includes(answer) ? { choice: answer } : { words: answer };
  return action === 'decline' ? { dismissed: true } : undefined;
}

const formOf = (
  message: string,
  properties: Form['params']['requestedSchema']['properties'],
  required: string[],
): Form => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required } },
});

/** Asks the user in VS Code, and in a form of the client as well, if it has one: the first answer ends the other question. */
export async function orByForm<T>(
  ask: (ended: AbortSignal) => Promise<T>,
  { request, read }: { request: Form | undefined; read(result: unknown): T | undefined },
  { form }: WaitingCall,
  ended: AbortSignal,
): Promise<T> {
  if (!form || !request) return ask(ended);
  const over = new AbortController();
  const both = AbortSignal.any([ended, over.signal]);
  const inVscode = ask(both);
  inVscode.catch(() => {}); // it ends without an answer once the form has one
  const byForm = async () => {
    for (let times = 0; times < MOST_FORMS && !both.aborted; times++) {
      const result = await form(request, both);
      const answer = read(result);
      if (answer) return answer;
      if (fieldsOf(result).action === 'cancel') break; // the user wants no form now
    }
    return inVscode;
  };
  return Promise.race([inVscode, byForm()]).finally(() => over.abort());
}
