import * as vscode from 'vscode';
import { cutText } from '../core/text/cut.ts';
import { allVisible } from '../core/text/visible.ts';

export type MessageButton = readonly [label: string, run: () => unknown];

/**
 * Shows a message, and does what belongs to the clicked button: nothing if the user closes it.
 *
 * @param detail makes the message a dialog
 */
export async function showMessage(
  kind: 'Information' | 'Warning' | 'Error',
  text: string,
  buttons: readonly MessageButton[],
  detail?: string,
): Promise<void> {
  const show: (text: string, ...rest: unknown[]) => Thenable<unknown> = vscode.window[`show${kind}Message`];
  const options = detail === undefined ? [] : [{ modal: true, detail }];
  const clicked = await show(text, ...options, ...buttons.map(([label]) => label));
  await buttons.find(([label]) => label === clicked)?.[1]();
}

/** Asks in a dialog. @param yes label of the button that confirms */
export const confirmed = async (text: string, detail: string, yes: string): Promise<boolean> =>
  (await vscode.window.showWarningMessage(text, { modal: true, detail }, yes)) === yes;

/** Shows in the status bar what goes on until the task ends. */
export const withProgress = <T>(title: string, task: () => Thenable<T>): Thenable<T> =>
  vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, task);

/** Makes text of agents and repositories safe to show. Pure. */

/**
 * The text in one line. Control and bidirectional characters are shown as codes, and VS Code makes no icons or command links from
 * it.
 */
export const oneLine = (text: string, most = 200): string =>
  isolated(inert(allVisible(text.length > most ? `${cutText(text, most)}…` : text)));

/**
 * A name within a sentence, made safe as by {@link oneLine}. It is quoted, and quotation marks in it are replaced, so that it cannot pass as part of the
 * sentence. A long name is cut in the middle, because the start and end of a path identify it.
 */
export const quoted = (text: string, most = 120): string =>
  `“${isolated(inert(allVisible(cutMiddle(text, most))).replace(/[“”„‟«»「」『』〝〞＂]/g, '"'))}”`;

/** Prevents links and icons, also with text that follows. */
const inert = (text: string): string =>
  text
    // An open bracket would become part of the next link and change its text.
    .replace(/\[(?=[^\]]*$)/g, '［')
    // Messages turn [text](command:…) into links, list items turn $(name) into icons; a space prevents both.
    .replaceAll('](', '] (')
    .replaceAll('$(', '$ (');

/** Characters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Right-to-left text must not change the direction of the text beside it. */
const isolated = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2066${text}\u2069` : text);

function cutMiddle(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const head = Math.floor(most / 3);
  return `${characters.slice(0, head).join('')}…${characters.slice(head + 1 - most).join('')}`;
}

/** Counts with their nouns. */
export const callsText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 call') : vscode.l10n.t('{0} calls', count);

export const filesText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', count);

export const changesText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 change') : vscode.l10n.t('{0} changes', count);

export const waitingText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 question is waiting') : vscode.l10n.t('{0} questions are waiting', count);

export const serversText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 MCP server needs you') : vscode.l10n.t('{0} MCP servers need you', count);

export const waitingAgentsText = (count: number): string =>
  count === 1
    ? vscode.l10n.t('1 agent is waiting. It continues when you start the server again.')
    : vscode.l10n.t('{0} agents are waiting. They continue when you start the server again.', count);
