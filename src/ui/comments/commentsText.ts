import * as vscode from 'vscode';
import { withLf } from '../../core/text/replacements.ts';
import type { Thread } from '../../workspace/comments/thread.ts';

/** Threads as Markdown, by file and line: where each is, the lines, and what was said. */
export async function commentsText(threads: readonly Thread[]): Promise<string> {
  const sorted = threads
    .map((thread) => ({ ...thread, path: vscode.workspace.asRelativePath(thread.uri) }))
    .sort((a, b) => (a.path === b.path ? a.lines[0] - b.lines[0] : a.path < b.path ? -1 : 1));
  return (await Promise.all(sorted.map(threadText))).join('\n');
}

async function threadText({ uri, path, lines: [first, last], isGone, comments }: Thread & { path: string }) {
  const place = first === last ? `${first}` : `${first}-${last}`;
  const code = isGone ? '' : fenced(await linesOf(uri, first, last));
  const said = comments.map(({ agent, text }) => `**${agent ?? vscode.l10n.t('You')}**: ${text}\n`);
  return [`## ${path}:${place}\n`, ...(code ? [code] : []), ...said].join('\n');
}

/** Empty if the file cannot be read. */
async function linesOf(uri: vscode.Uri, first: number, last: number): Promise<string> {
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    return withLf(document.getText())
      .split('\n')
      .slice(first - 1, last)
      .join('\n');
  } catch {
    return '';
  }
}

/** The fence is longer than any in the code. */
function fenced(code: string): string {
  if (code === '') return '';
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${code}\n${fence}\n`;
}
