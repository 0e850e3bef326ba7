/** Lists that change while somebody listens: the suite pulls the trigger, which is a tool. */
import type { Prompt } from '@modelcontextprotocol/server';
import { text } from '../../../src/features/tool.ts';
import { tool } from './tool.ts';

const TOGGLED = 'test_toggled';

/** A prompt that comes and goes, and those who want to hear of it. */
export class ToggledPrompt {
  readonly #listeners = new Set<() => void>();
  #isThere = false;

  get listed(): readonly Prompt[] {
    return this.#isThere ? [{ name: TOGGLED, description: 'Comes and goes.' }] : [];
  }

  toggle(): void {
    this.#isThere = !this.#isThere;
    for (const listener of this.#listeners) listener();
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export const changeTools = (prompt: ToggledPrompt) => [
  tool(TOGGLED, 'Comes and goes.', () => text('There.')),
  // As a person would: by the setting.
  tool('test_trigger_tool_change', 'Switches a tool on or off.', async (_, __, { vscode }) => {
    const settings = vscode.workspace.getConfiguration('workspaceMcp');
    const isOff = settings.get<string[]>('tools.disabled')?.includes(TOGGLED);
    await settings.update('tools.disabled', isOff ? [] : [TOGGLED]);
    return text('Switched.');
  }),
  tool('test_trigger_prompt_change', 'Adds a prompt or takes it away.', () => {
    prompt.toggle();
    return text('Changed.');
  }),
];
