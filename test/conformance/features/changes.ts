/** Lists that change while somebody listens: the suite pulls the trigger, which is a tool. */
import { EventEmitter } from 'node:events';
import { text } from '../../../src/features/tool.ts';
import { tool } from './tool.ts';

export const TOGGLED = 'test_toggled';

/** A prompt that comes and goes, and those who want to hear of it. */
export const toggledPrompt = { isThere: false, changes: new EventEmitter().setMaxListeners(0) };

export const changeTools = [
  tool(TOGGLED, 'Comes and goes.', () => text('There.')),
  // As a person would: by the setting.
  tool('test_trigger_tool_change', 'Switches a tool on or off.', async (_, __, { vscode }) => {
    const settings = vscode.workspace.getConfiguration('workspaceMcp');
    const isOff = settings.get<string[]>('tools.disabled')?.includes(TOGGLED);
    await settings.update('tools.disabled', isOff ? [] : [TOGGLED]);
    return text('Switched.');
  }),
  tool('test_trigger_prompt_change', 'Adds a prompt or takes it away.', () => {
    toggledPrompt.isThere = !toggledPrompt.isThere;
    toggledPrompt.changes.emit('change');
    return text('Changed.');
  }),
];
