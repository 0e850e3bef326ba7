import type { QuestionHandler } from '../connection/client.ts';
import { isLoopback } from '../names.ts';
import { emptyAnswer, type FormField, type FormValue, formFields, LONGEST_TEXT } from './form.ts';
import { invalidParams } from './refusals.ts';

/** Declined: the user said no. Cancelled: the user went away without an answer. */
export type ElicitationRefusal = { action: 'decline' } | { action: 'cancel' };

/** Values by the names of fields; without those that the user left empty. */
export type FormAnswer = { action: 'accept'; content: Record<string, FormValue> } | ElicitationRefusal;

export type UrlAnswer = { action: 'accept' } | ElicitationRefusal;

/** Asks the user. Texts of the server are not escaped. @throws CancelledError once the signal is aborted */
export interface Elicitor {
  form(request: { message: string; fields: FormField[] }, signal: AbortSignal): Promise<FormAnswer>;
  /** Opens the page if the user wants it. Its address is https or on this machine, without user name and password. */
  page(request: { message: string; url: URL }, signal: AbortSignal): Promise<UrlAnswer>;
}

/**
 * Answers `elicitation/create`, in both modes of MCP 2025-11-25. `notifications/elicitation/complete` needs no handling: nothing
 * waits for the page.
 */
export const elicitationAnswer =
  (elicitor: Elicitor): QuestionHandler =>
  async ({ message, mode: given, requestedSchema: schema, url }, signal) => {
    const mode = given ?? 'form';
    if (typeof message !== 'string') throw invalidParams('elicitation/create needs a text "message".');
    if ([message, url].some((one) => typeof one === 'string' && one.length > LONGEST_TEXT))
      throw invalidParams(`A message and a url have at most ${LONGEST_TEXT} characters each.`);
    if (mode === 'url') return await elicitor.page({ message, url: pageAddress(url) }, signal);
    if (mode !== 'form') throw invalidParams('mode must be "form" or "url".');
    const answer = await elicitor.form({ message, fields: formFields(schema) }, signal);
    if (answer.action !== 'accept') return answer;
    return { ...answer, content: { ...emptyAnswer(schema), ...answer.content } };
  };

function pageAddress(text: unknown): URL {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (!url) throw invalidParams('elicitation/create in the mode "url" needs an absolute "url".');
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
  if (!isSafe)
    throw invalidParams('The url was not shown to the user: it must be https, or http on this machine.');
  if (url.username || url.password)
    throw invalidParams('The url was not shown to the user: it must not have a user name or password.');
  return url;
}
