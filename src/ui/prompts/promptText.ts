import type { GetPromptResult } from '@modelcontextprotocol/server';
import * as vscode from 'vscode';
import { visible } from '../../core/text/escapeInvisible.ts';
import { fenced } from '../../core/text/fenced.ts';

/** A prompt as an agent gets it, as Markdown: each message, and what is attached. */
export function promptText(name: string, { messages }: Pick<GetPromptResult, 'messages'>): string {
  const { l10n } = vscode;
  const head = `# ${l10n.t('What an agent gets from the prompt "{0}"', name)}`;
  return [head, ...messages.map(({ content }) => contentText(content)), ''].join('\n\n');
}

function contentText(content: GetPromptResult['messages'][number]['content']): string {
  const { l10n } = vscode;
  if (content.type === 'text') return [`## ${l10n.t('Text')}`, fenced(content.text, 'md')].join('\n\n');
  if (content.type !== 'resource') return `## ${content.type}`;
  const { resource } = content;
  const title = `## ${l10n.t('Attached: {0}', visible(resource.uri))}`;
  return [title, fenced('text' in resource ? resource.text : '…')].join('\n\n');
}
