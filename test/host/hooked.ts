/** Agents that write with their own tools, as their hooks tell it: through the real shim. Their folder is a Git repository. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HOOK_PROGRAMS } from '../../src/core/hooks/hookPrograms.ts';
import { nextWindow, until, windowRecord } from './agent.ts';
import { folder, page } from './caseWindow.ts';
import { isStored } from './headless/editor.ts';
import { statusBarText } from './headless/palette.ts';
import { runHook } from './hook.ts';
import { endProcess } from './processes.ts';

export const at = (path: string): string => join(folder, path);

export const git = (...args: string[]): Buffer =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], { cwd: folder });

/** Commits all that is there. */
export function commitAll(): void {
  git('add', '.');
  git('commit', '--quiet', '--allow-empty', '-m', 'All');
}

export async function openRepository(): Promise<void> {
  if (!existsSync(at('.git'))) git('init', '--quiet');
  commitAll();
  await statusBarText(page, /main|master/);
}

/** Reloads the window, as soon as it has stored which tab is open. */
export async function reload(tab: string): Promise<void> {
  await isStored(page, tab);
  const before = await windowRecord();
  await page.reload();
  await nextWindow(before);
  endProcess(before.pid);
}

export async function marksAre(count: number): Promise<void> {
  const marks = page.locator('.editor-instance .glyph-margin-widgets .cgmr:not([class*=lightbulb])');
  await until(`${count} marks`, async () => (await marks.count()) === count || undefined);
}

/** A call of a tool of the agent's own. */
interface Call {
  tool_name: string;
  tool_input: object;
}

/** Its tools, as its hooks tell them. */
const TOOLS = {
  codex: {
    edit: (path: string): Call => ({
      tool_name: 'apply_patch',
      tool_input: { command: `*** Begin Patch\n*** Update File: ${path}\n*** End Patch` },
    }),
    shell: (command: string): Call => ({ tool_name: 'Bash', tool_input: { command } }),
  },
  'gemini-cli': {
    edit: (path: string): Call => ({ tool_name: 'replace', tool_input: { file_path: at(path) } }),
    shell: (command: string): Call => ({ tool_name: 'run_shell_command', tool_input: { command } }),
  },
};

/** @param agent whose hooks tell what happens */
export function hooked(agent: keyof typeof TOOLS) {
  const { events } = HOOK_PROGRAMS[agent];
  const { edit, shell } = TOOLS[agent];
  const tell = (moment: 'prompt' | 'before' | 'after' | 'stop', payload: object = {}) =>
    runHook(agent, events[moment], { cwd: folder, ...payload });
  const around = async (call: Call, run: () => void) => {
    await tell('before', call);
    run();
    return tell('after', call);
  };
  const begins = (prompt: string) => tell('prompt', { prompt });
  return {
    tell,
    begins,
    /**
     * Begins until it gets what is selected in the editor, one character more each time: the first hook of a window loads the
     * code, for which no agent waits.
     */
    async answered(prompt: string): Promise<string> {
      for (const key of ['Control+1', 'Control+Home']) await page.keyboard.press(key);
      return until('the selection in the prompt', async () => {
        await page.keyboard.press('Shift+ArrowRight');
        return (await begins(prompt)) || undefined;
      });
    },
    ends: () => tell('stop'),
    edits: (path: string, run: () => void) => around(edit(path), run),
    /** Runs it in the folder, unless something else stands for it. */
    runs: (command: string, run = () => void execFileSync('sh', ['-c', command], { cwd: folder })) =>
      around(shell(command), run),
    edit,
    shell,
  };
}
