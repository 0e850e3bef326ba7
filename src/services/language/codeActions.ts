import type * as vscode from 'vscode';
import { until } from '../../util/events.ts';
import type { Location } from '../../workspace/read/location.ts';
import { tabsOf, withBackgroundTab } from './checkers.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { LanguageScope } from './providers.ts';

/** How long VS Code may take to get problems that the server has told us already, in milliseconds. */
const REPORT_TIME = 5_000;
/** Actions that get their edits, when they are asked for. */
const MOST_RESOLVED = 50;

/** Chats of VS Code's own, what sends to an agent, and snippets that need a person to fill them in. */
const NOT_FOR_AGENTS = /\.(?:copilot|workspaceMcp)$|^refactor\.surround$/;
export const isForAgents = (kind: string): boolean => !NOT_FOR_AGENTS.test(kind);

/** What providers offer at a place: an edit, a command, or both. */
export interface Action {
  title: string;
  kind: string;
  isPreferred: boolean;
  edit: vscode.WorkspaceEdit | undefined;
  command: vscode.Command | undefined;
}

/** What VS Code answers; some providers give commands only. */
type Answered = vscode.CodeAction | vscode.Command;

/**
 * The code actions for a place.
 *
 * @param kind such as `quickfix`; without it, all kinds
 * @param isResolved whether the actions have their edits: planning each takes the server some time
 * @throws UserError, CancelledError
 */
export async function codeActions(
  document: vscode.TextDocument,
  range: vscode.Range,
  { kind, isResolved = false }: { kind?: string | undefined; isResolved?: boolean },
  { vscode, providers }: LanguageScope,
  signal: AbortSignal,
): Promise<Action[]> {
  const selection = new vscode.Selection(range.start, range.end); // some providers want no other range
  const more = [selection, kind, isResolved ? MOST_RESOLVED : 0];
  const found = await providers.ask<Answered>('code actions', document, signal, ...more);
  const actions = found.map((one) => {
    const action =
      typeof one.command === 'string' ? { title: one.title, command: one as vscode.Command } : one;
    const { title, kind, isPreferred = false, edit, command } = action as vscode.CodeAction;
    return { title, kind: kind?.value ?? '', isPreferred, edit, command };
  });
  return actions.filter(({ kind }) => isForAgents(kind));
}

/**
 * Runs `use` while VS Code has the current problems of a file: providers fix only those. A file without a tab gets one meanwhile.
 *
 * @throws UserError if the file cannot be loaded, CancelledError, and what `use` throws
 */
export async function withProblems<T>(
  location: Location,
  { vscode, files, language }: LanguageScope & { language: Diagnostics },
  signal: AbortSignal,
  use: (document: vscode.TextDocument) => Promise<T>,
): Promise<T> {
  const document = await files.loadDocument(location);
  const look = async () => {
    const { diagnostics } = await language.ofShown(document, signal);
    await reported(vscode, document.uri, diagnostics.length, signal);
    return use(document);
  };
  return tabsOf(vscode, document.uri).length > 0 ? look() : withBackgroundTab(vscode, document.uri, look);
}

/** Waits until VS Code has as many problems. */
async function reported({ languages }: typeof vscode, uri: vscode.Uri, count: number, signal: AbortSignal) {
  const has = () => languages.getDiagnostics(uri).length >= count;
  await until(has, languages.onDidChangeDiagnostics, REPORT_TIME, signal);
}
