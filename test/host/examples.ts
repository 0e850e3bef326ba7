/** The examples of docs/tools.md and docs/debug.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

/** A tool's section or line: its name, a call's arguments, and the answer. */
const EXAMPLE = /^(?:## |\*\*)(\w+)(?:\*\*.*)?\n[\s\S]*?^```json\n(.*?)\n```\n\n```text\n([\s\S]*?)^```$/gm;

export interface Example {
  name: string;
  args: Record<string, unknown>;
  answer: RegExp;
}

/** The tools whose examples need tasks and tests. */
export const RUN_TOOLS = [
  ...['list_tasks', 'run_command', 'run_task', 'run_tests', 'run_cells'],
  ...['read_run', 'send_to_run', 'stop_run'],
];

/** Tools that need a program. */
export const DEBUG_TOOLS = ['start', 'breakpoints', 'control', 'evaluate', 'state'].map(
  (name) => `debug_${name}`,
);

export const examples = (file = 'docs/tools.md'): Example[] =>
  [...readFileSync(join(projectRoot, file), 'utf8').matchAll(EXAMPLE)].map(
    ([, name = '', args = '', answer = '']) => ({ name, args: JSON.parse(args), answer: pattern(answer) }),
  );

/** Any text fits `…`. */
const pattern = (answer: string) =>
  new RegExp(`^${answer.trimEnd().split('…').map(escaped).join('[\\s\\S]*')}$`);

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
