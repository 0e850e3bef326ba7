/** The examples of docs/tools.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

/** A tool's section: its name, a call's arguments, and the answer. */
const EXAMPLE = /^## (\w+)\n[\s\S]*?^```json\n(.*?)\n```\n\n```text\n([\s\S]*?)^```$/gm;

export interface Example {
  name: string;
  args: Record<string, unknown>;
  answer: RegExp;
}

export const examples = (): Example[] =>
  [...readFileSync(join(projectRoot, 'docs/tools.md'), 'utf8').matchAll(EXAMPLE)].map(
    ([, name = '', args = '', answer = '']) => ({ name, args: JSON.parse(args), answer: pattern(answer) }),
  );

/** Any text fits `…`. */
const pattern = (answer: string) =>
  new RegExp(`^${answer.trimEnd().split('…').map(escaped).join('[\\s\\S]*')}$`);

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
