import type { Prompt } from '@modelcontextprotocol/server';
import * as vscode from 'vscode';
import type { PromptPreview } from '../../features/prompts/preview.ts';
import type { PromptCall } from '../../features/prompts/promptSource.ts';
import type { Controls } from '../controls.ts';
import { askArgument } from './askArgument.ts';
import { promptText } from './promptText.ts';

/**
 * Shows exactly what an agent gets from a prompt, in a read-only editor.
 *
 * @param file whose prompts are offered; all if left out
 */
export async function previewPrompt({ promptPreview, texts }: Controls, file?: vscode.Uri): Promise<void> {
  const preview = await promptPreview();
  const ending = new AbortController();
  try {
    const prompt = await pickPrompt(preview, file);
    const call = { signal: ending.signal, progress() {} };
    const args = prompt && (await askArguments(prompt, preview, call));
    const result = args && (await preview.get(prompt.name, args, call));
    if (!result) return;
    await texts.show(`${vscode.l10n.t('Prompt {0}', prompt.name)}.md`, promptText(prompt.name, result));
  } finally {
    ending.abort();
    preview.dispose();
  }
}

/** @throws Error if there is none */
async function pickPrompt(preview: PromptPreview, file: vscode.Uri | undefined): Promise<Prompt | undefined> {
  const { l10n, window } = vscode;
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
    const value = await askArgument(
      {
        ...{ title, argument, step: index + 1, totalSteps: all.length },
        complete: async (value) =>
          (await preview.complete(name, { name: argument.name, value, others: args }, call))?.values ?? [],
      },
      call.signal,
    );
    if (value === undefined) return undefined;
    if (value !== '' || argument.required) args[argument.name] = value;
  }
  return args;
}
