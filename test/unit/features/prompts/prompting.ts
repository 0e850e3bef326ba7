import assert from 'node:assert/strict';
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { promptProvider } from '../../../../src/features/prompts/promptList.ts';
import type { PromptSource } from '../../../../src/features/prompts/promptSource.ts';
import { Selection } from '../../../fakes/text.ts';
import { CALL, type Window } from '../window.ts';

/** The cursor, or what is selected, is in this file. */
export function cursorIn({ fake, path }: Window, file: string, selection = new Selection(0, 0, 0, 0)): void {
  const document = fake.person.loads(path(file));
  Object.assign(document, { getWordRangeAtPosition: () => undefined });
  fake.activeTextEditor = { document, selection, selections: [selection] };
}

/** What an agent asks of prompts. */
export function promptsOf(sources: readonly PromptSource[]) {
  const provider = promptProvider(sources);
  return {
    provider,
    list: ({ ctx }: Window): Promise<readonly Prompt[]> => provider.list(ctx, CALL),
    /** The text, and the resources by the names of files, or the rest of other URIs. */
    async get(
      { ctx }: Window,
      name: string,
      args: Record<string, string> = {},
    ): Promise<{ text: string; attached: Record<string, string> }> {
      const result = (await provider.get(name, args, ctx, CALL)) as GetPromptResult | undefined;
      const [first, ...others] = result?.messages.map(({ content }) => content) ?? [];
      assert.ok(first?.type === 'text', `${name}: ${JSON.stringify(result)}`);
      const attached: Record<string, string> = {};
      for (const content of others) {
        assert.ok(content.type === 'resource' && 'text' in content.resource);
        attached[content.resource.uri.replace(/^file:.*\/|^editor-state:\/+/, '')] = content.resource.text;
      }
      return { text: first.text, attached };
    },
    complete: async (
      { ctx }: Window,
      prompt: string,
      name: string,
      value: string,
      others: Record<string, string> = {},
    ): Promise<string[] | undefined> =>
      (await provider.complete(prompt, { name, value, others }, ctx, CALL))?.values,
  };
}
