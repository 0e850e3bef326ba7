import type { GetPromptResult, Prompt, PromptArgument } from '@modelcontextprotocol/server';
import * as vscode from 'vscode';
import { fenced } from '../../core/text/markdown.ts';
import { visible } from '../../core/text/visible.ts';
import type { PromptPreview } from '../../features/prompts/index.ts';
import type { PromptCall } from '../../features/prompts/promptSource.ts';
import type { Controls } from '../controls.ts';

const { l10n, window } = vscode;

/** Shows exactly what an agent gets from a prompt, in a read-only editor. @param file whose prompts are offered; all if left out */
export async function previewPrompt({ promptPreview, texts }: Controls, file?: vscode.Uri): Promise<void> {
  const preview = await promptPreview();
  const ending = new AbortController();
  try {
    const prompt = await pickPrompt(preview, file);
    const call = { signal: ending.signal, progress() {} };
    const args = prompt && (await askArguments(prompt, preview, call));
    const result = args && (await preview.get(prompt.name, args, call));
    if (!result) return;
    await texts.show(`${l10n.t('Prompt {0}', prompt.name)}.md`, promptText(prompt.name, result));
  } finally {
    ending.abort();
    preview.dispose();
  }
}

/** @throws Error if there is none */
async function pickPrompt(preview: PromptPreview, file: vscode.Uri | undefined): Promise<Prompt | undefined> {
  const prompts = await preview.list(file);
  if (prompts.length === 0 && file)
    throw new Error(
      l10n.t(
        'Agents get no prompt from this file: it has errors, or the setting workspaceMcp.prompts.sources leaves it out.',
      ),
    );
  if (prompts.length === 0) throw new Error(l10n.t('Agents get no prompts from this window.'));
  if (prompts.length === 1 && file) return prompts[0];
  const rows = prompts.map((prompt) => ({
    label: prompt.title ?? prompt.name,
    description: prompt.name === prompt.title ? '' : prompt.name,
    detail: prompt.description === prompt.title ? '' : (prompt.description?.split('\n', 1)[0] ?? ''),
    prompt,
  }));
  const title = l10n.t('Preview Prompt');
  const picked = await window.showQuickPick(rows, { title, matchOnDescription: true, matchOnDetail: true });
  return picked?.prompt;
}

/** Undefined if the user stops. */
async function askArguments(
  { name, title = name, arguments: all = [] }: Prompt,
  preview: PromptPreview,
  call: PromptCall,
): Promise<Record<string, string> | undefined> {
  const args: Record<string, string> = {};
  for (const [index, argument] of all.entries()) {
    const pick = window.createQuickPick<Row>();
    Object.assign(pick, { title, step: index + 1, totalSteps: all.length, ignoreFocusOut: true });
    const value = await askArgument(
      pick,
      argument,
      async (value) =>
        (await preview.complete(name, { name: argument.name, value, others: args }, call))?.values ?? [],
    );
    pick.dispose();
    if (value === undefined) return undefined;
    if (value !== '' || argument.required) args[argument.name] = value;
  }
  return args;
}

interface Row extends vscode.QuickPickItem {
  /** Undefined if it is what is typed. */
  value?: string;
}

/**
 * Asks for the value of an argument; empty if it is left out, undefined if the user closes the list.
 *
 * @param complete finds values that begin as typed
 */
function askArgument(
  pick: vscode.QuickPick<Row>,
  argument: PromptArgument,
  complete: (typed: string) => Promise<readonly string[]>,
): Promise<string | undefined> {
  pick.placeholder = [argument.name, argument.description].filter(Boolean).join(': ');
  const refresh = async () => {
    const typed = pick.value;
    pick.items = rowsOf(typed, [], argument);
    const values = await complete(typed).catch(() => []); // nothing to suggest
    if (pick.value === typed) pick.items = rowsOf(typed, values, argument);
  };
  void refresh();
  return new Promise((answer) => {
    pick.onDidHide(() => answer(undefined));
    pick.onDidChangeValue(() => void refresh());
    pick.onDidAccept(() => {
      // It may be drawn before the last character was typed, or not at all yet.
      const value = pick.selectedItems[0]?.value ?? pick.value;
      if (value === '' && argument.required) return;
      if (!value.endsWith('/') || value === pick.value) return answer(value);
      pick.value = value; // a folder: its files are next
      void refresh();
    });
    pick.show();
  });
}

/** What was typed first, then what would complete it. */
function rowsOf(typed: string, values: readonly string[], { required }: PromptArgument): Row[] {
  const own: Row[] =
    typed === ''
      ? [{ label: l10n.t('Leave it out'), alwaysShow: true }]
      : [{ label: typed, description: l10n.t('as typed'), alwaysShow: true }];
  const others = values.filter((value) => value !== typed);
  const rows = others.map((value) => ({ label: value, value, alwaysShow: true }));
  return typed === '' && required ? rows : [...own, ...rows];
}

/** A prompt as an agent gets it, as Markdown: each message, and what is attached. */
function promptText(name: string, { messages }: Pick<GetPromptResult, 'messages'>): string {
  const head = `# ${l10n.t('What an agent gets from the prompt "{0}"', name)}`;
  return [head, ...messages.map(({ content }) => contentText(content)), ''].join('\n\n');
}

function contentText(content: GetPromptResult['messages'][number]['content']): string {
  if (content.type === 'text') return [`## ${l10n.t('Text')}`, fenced(content.text, 'md')].join('\n\n');
  if (content.type !== 'resource') return `## ${content.type}`;
  const { resource } = content;
  const title = `## ${l10n.t('Attached: {0}', visible(resource.uri))}`;
  return [title, fenced('text' in resource ? resource.text : '…')].join('\n\n');
}
