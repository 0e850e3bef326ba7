/** The texts of a call, with text of agents made safe to show. */

import * as vscode from 'vscode';
import { jsonText } from '../../core/json.ts';
import { allVisible } from '../../core/text/visible.ts';
import type { ActivityCall, CallState } from '../../server/agent.ts';
import { oneLine } from '../messages.ts';

/** Longest request or answer in a tooltip, in UTF-16 units. */
const MOST_SHOWN = 1_500;

export const CALL_ICONS: Record<CallState, string> = {
  running: 'sync~spin',
  done: 'check',
  failed: 'error',
  cancelled: 'circle-slash',
};

/** A tool or prompt of a hosted server comes with the server's name. */
export const callName = ({ name }: ActivityCall): string =>
  oneLine(name.replace(/^([a-z0-9-]{1,16})__/, '$1 › '), 60);

export const aboutOf = ({ about }: ActivityCall): string => oneLine(about, 100);

/** Follows the name: the subject of the call, and how long it took. */
export const callDescription = (call: ActivityCall): string =>
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

/** The request, cut to fit a tooltip. */
export function requestText({ method, request }: ActivityCall): string {
  const { arguments: given = {}, ...params } = { ...request?.params };
  delete params._meta;
  return cut(indented(method === 'tools/call' ? given : params));
}

/** The result or error as a model reads it, cut to fit a tooltip; empty if there is none yet. */
export function answerText({ response }: ActivityCall): string {
  if (!response) return '';
  if ('error' in response) return cut(response.error.message);
  const { content, structuredContent } = response.result;
  const texts = Array.isArray(content) ? content.map((block) => block?.text ?? `[${block?.type}]`) : [];
  return cut(texts.length > 0 ? texts.join('\n') : indented(structuredContent ?? response.result));
}

/** With 20 levels at most: a tooltip has no room for more. */
const indented = (value: unknown): string => jsonText(value, 20, 2);

/** The messages as sent, one per line, for a bug report or a replay. Undefined if they were discarded. */
export function jsonRpcOf({ request, response }: ActivityCall): string | undefined {
  if (!request) return undefined;
  return [request, response]
    .filter((message) => message !== undefined)
    .map((message) => `${jsonText(message).replaceAll(INVISIBLE, escaped)}\n`)
    .join('');
}

/** They can hide or reorder text when it is pasted. Escaped, the JSON is the same. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Keeps line ends and shows invisible characters as codes. Plain text, so tooltips create no links. */
function cut(text: string): string {
  const lines = text
    .slice(0, MOST_SHOWN)
    .split('\n')
    .map((line) => allVisible(line.replaceAll('\t', '  ')));
  return lines.join('\n') + (text.length > MOST_SHOWN ? '…' : '');
}

/** @throws Error if the messages were discarded */
export async function copyCall(call: ActivityCall): Promise<void> {
  const { l10n } = vscode;
  const text = jsonRpcOf(call);
  if (!text)
    throw new Error(l10n.t('The messages of this call have been discarded. Copy a call soon after it ends.'));
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(l10n.t('Copied as JSON-RPC'), 3_000);
}
