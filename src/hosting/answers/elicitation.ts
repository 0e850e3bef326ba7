import type { QuestionHandler } from '../connection/asked.ts';
import { isLoopback } from '../names.ts';
import { emptyAnswer, type FormField, type FormValue, formFields, TEXT_LENGTH } from './form.ts';
import { invalidParams } from './refusals.ts';

/** Declined: the user said no. Cancelled: the user went away without an answer. */
type ElicitationRefusal = { action: 'decline' } | { action: 'cancel' };

/** Values by the names of fields; without those that the user left empty. */
export type FormAnswer = { action: 'accept'; content: Record<string, FormValue> } | ElicitationRefusal;

export type UrlAnswer = { action: 'accept' } | ElicitationRefusal;

export interface FormRequest {
  message: string;
  fields: FormField[];
}

export interface PageRequest {
  message: string;
  /** An address with https or on this machine, without user name and password. */
  url: URL;
}

/** Asks the user. */
export interface Elicitor {
  form(request: FormRequest, signal: AbortSignal): Promise<FormAnswer>;
  /** Opens the page if the user wants it. */
  page(request: PageRequest, signal: AbortSignal): Promise<UrlAnswer>;
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
    if ([message, url].some((one) => typeof one === 'string' && one.length > TEXT_LENGTH))
      throw invalidParams(`A message and a url have at most ${TEXT_LENGTH} characters each.`);
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
