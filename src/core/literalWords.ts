/** Command lines that mean their words and nothing else, so that they can be allowed for longer. */
import { canLast } from './lastingPrograms.ts';

const SCRIPT = /^[A-Za-z0-9][\w:.-]*$/;

/** Quotes add nothing to a word but spaces. */
const WORD = /(?:[\w@%+=:,./-]|'[\w@%+=:,./ -]*'|"[\w@%+=:,./ -]*")+/;
const LINE = new RegExp(`^${WORD.source}(?: +${WORD.source})*$`);

export interface LiteralCommand {
  words: readonly string[];
  /** The script of package.json that it runs, with those that run before and after. */
  script?: string;
}

/**
 * One simple command of plain ASCII words: no operator, expansion, pattern, redirection, assignment or comment, not even in quotes;
 * a program of the list, no flag that brings code. Of package managers only `test`, `start` and `run NAME`. Undefined for any other
 * line, so for some harmless ones too.
 */
export function literalCommand(line: string, platform = process.platform): LiteralCommand | undefined {
  if (platform === 'win32' || line.length > 2_000 || !LINE.test(line)) return undefined; // others have other quotes
  const all = line.match(new RegExp(WORD, 'g')) ?? [];
  if (all.some((word) => word.startsWith('='))) return undefined; // zsh replaces it
  const words = all.map((word) => word.replaceAll(/['"]/g, ''));
  const [program = '', ...args] = words;
  if (/^(?:npm|pnpm|yarn)$/.test(program)) return runningScript(words);
  return canLast(program, args) ? { words } : undefined;
}

function runningScript(words: readonly string[]): LiteralCommand | undefined {
  const [, verb = '', name, ...more] = words;
  if (more.length > 0) return undefined;
  const script =
    verb === 'run' ? name : name === undefined && /^(?:test|start)$/.test(verb) ? verb : undefined;
  return script !== undefined && SCRIPT.test(script) ? { words, script } : undefined;
}
