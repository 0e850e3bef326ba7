/** The texts of a call. Pure; what an agent sent is made fit to be shown here. */

import { allVisible } from '../../core/text/escapeInvisible.ts';
import { jsonText } from '../../core/text/jsonText.ts';
import type { ActivityCall, CallState } from '../../server/activity.ts';
import { oneLine } from '../untrustedText.ts';

/** Most of a request or an answer that a tooltip shows, in UTF-16 units. */
const MOST_SHOWN = 1_500;

/** Icons of VS Code, by state. */
export const STATE_ICONS: Record<CallState, string> = {
  running: 'sync~spin',
  done: 'check',
  failed: 'error',
  cancelled: 'circle-slash',
};

export const nameOf = ({ name }: ActivityCall): string => oneLine(name, 60);

export const aboutOf = ({ about }: ActivityCall): string => oneLine(about, 100);

/** What follows the name: what it is about, and how long it took. */
export const descriptionOf = (call: ActivityCall): string =>
  [aboutOf(call), call.duration === undefined ? '…' : durationText(call.duration)]
    .filter(Boolean)
    .join(' · ');

/** @param ms milliseconds */
export function durationText(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** What was asked, as far as a tooltip holds it. */
export function requestText({ method, request }: ActivityCall): string {
  const { arguments: given = {}, ...params } = { ...request?.params };
  delete params._meta;
  return cut(indented(method === 'tools/call' ? given : params));
}

/** The result or the error, as a model reads it, as far as a tooltip holds it; empty while there is none. */
export function answerText({ response }: ActivityCall): string {
  if (!response) return '';
  if ('error' in response) return cut(response.error.message);
  const { content, structuredContent } = response.result;
  const texts = Array.isArray(content) ? content.map((block) => block?.text ?? `[${block?.type}]`) : [];
  return cut(texts.length > 0 ? texts.join('\n') : indented(structuredContent ?? response.result));
}

/** As far as a tooltip has room for levels. */
const indented = (value: unknown): string => jsonText(value, 20, 2);

/** As it went over the wire, a message a line, to be sent again or put into a report. Undefined where it is not kept. */
export function jsonRpcOf({ request, response }: ActivityCall): string | undefined {
  if (!request) return undefined;
  return [request, response]
    .filter((message) => message !== undefined)
    .map((message) => `${jsonText(message)}\n`)
    .join('');
}

/** As it was sent, line ends and all; only what shows nothing of itself is made visible. Tooltips make no links of it. */
function cut(text: string): string {
  const lines = text
    .slice(0, MOST_SHOWN)
    .split('\n')
    .map((line) => allVisible(line.replaceAll('\t', '  ')));
  return lines.join('\n') + (text.length > MOST_SHOWN ? '…' : '');
}
