/** Claude Code in a terminal, with a scripted model and a command that outlives its call. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { until } from '../until.ts';
import { useMachine } from '../wire/harness.ts';
import type { TestWindow } from '../wire/testWindow.ts';
import { type Driven, driven } from './driven.ts';
import { installed, prepareHome } from './programs.ts';
import { type Call, type Step, startModel, type Turn } from './scriptedModel.ts';
import { CLAUDE_ENV, isIdle, startInTerminal, type Terminal, withoutQuestions } from './terminal.ts';

/** It ends once a file is there. Its text has not what it prints. */
export const COMMAND = {
  command: 'until [ -e end ]; do sleep 0.2; done; echo "It has en""ded" | tee -a ended',
};
export const OUTPUT = 'It has ended';
export const RUN: Call = { name: 'mcp__workspace-mcp__run_command', arguments: COMMAND };

export const ends = (window: TestWindow) => writeFileSync(window.path('end'), '');

/** What the command has written, each time that it ran. */
export function written(window: TestWindow): string {
  const path = window.path('ended');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

export const rowOf = (id: string, title?: string): Driven =>
  driven.find((row) => row.id === id && row.title === title) ?? assert.fail();

/** What the tests of a suite need, on a fresh machine each. */
export function useClaudeCode() {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0).reverse()) close();
  });
  const machines = useMachine(); // whose check is the last

  /** @returns what starts Claude Code in a terminal, and the requests to its model */
  async function claudeCode(window: TestWindow, script: readonly Step[]) {
    const { program, drive } = rowOf('claude-code', 'without its tool search');
    const path = await installed(program);
    const { surroundings, configure } = prepareHome(machines.root, window.path());
    await configure('claude-code', 'user');
    withoutQuestions(surroundings);
    const turns: Turn[] = [];
    const model = await startModel(script, (turn) => turns.push(turn));
    closing.push(() => model.close());
    const env = { ...drive(model.url, surroundings).env, ...CLAUDE_ENV };
    const start = (first: string): Terminal => {
      const words = [path, first, '--allowedTools', 'mcp__workspace-mcp', 'TaskStop'];
      const terminal = startInTerminal(words, { ...surroundings, env });
      closing.push(() => terminal.close());
      return terminal;
    };
    const comes = (text: string) => until(() => turns.some((turn) => turn.text.includes(text)), text);
    /** The call has become a task, and the turn has ended. */
    const isTask = async () => {
      await comes('moved to the background');
      await until(() => isIdle(window), 'the end of the turn');
    };
    return { turns, start, comes, isTask };
  }

  /** A window whose user allows everything. */
  async function allowing(): Promise<TestWindow> {
    const window = await machines.open();
    window.consent.otherwise = () => ({ allow: 'once' });
    return window;
  }

  return { machines, closing, claudeCode, allowing };
}
