/** What takes ripgrep more than one look. */
import type { Line, ShellAgent } from './shellAgent.ts';

/** Lines that call a function. The line that declares it is found too, and left out. */
export function callsOf(agent: ShellAgent, names: string): Line[] {
  return agent.search(`\\b(${names})\\(`).filter(({ text }) => !text.includes('function '));
}

/** What extends a type, and what extends that, until there is no more. */
export function subtypes(agent: ShellAgent, name: string): void {
  const seen = new Set<string>();
  for (let names = [name]; names.length > 0; ) {
    const alternatives = names.map((one) => one.replace('$', '\\$')).join('|');
    const found = agent.searchAcross(`interface [^{]*extends [^{]*(${alternatives})\\b`);
    names = found
      .map(({ text }) => /^export interface ([\w$]+)/.exec(text)?.[1])
      .filter((one) => one !== undefined && !seen.has(one))
      .map(String);
    for (const one of names) seen.add(one);
  }
}
