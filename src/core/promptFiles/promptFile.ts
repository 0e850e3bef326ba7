import { type FrontMatter, readFrontMatter } from './frontMatter.ts';
import { type Dialect, type Part, parseTemplate } from './template.ts';

/** A prompt file, read. */
export interface PromptFile {
  /** Its own name; the file's is used if there is none. */
  name?: string;
  description?: string;
  arguments: readonly PromptFileArgument[];
  parts: readonly Part[];
  /** Fields that decide what the prompt may use in another program: `tools`, `model`. */
  ignored: readonly string[];
}

export interface PromptFileArgument {
  /** An identifier, unique in the file. */
  name: string;
  description?: string;
  required: boolean;
  /** The text of the file that it stands for: a name of `${input:…}`, or a number; undefined for all words. */
  of?: string | number;
}

/** Fields that are used; all others are ignored, and some of these are worth telling. */
const TOLD = ['tools', 'allowed-tools', 'model', 'mode', 'agent'];

/** @param read what finds the header. @throws PromptSyntaxError */
export function parsePromptFile(
  text: string,
  dialect: Dialect,
  read: (text: string) => FrontMatter = readFrontMatter,
): PromptFile {
  const { fields, body } = read(text);
  const parts = parseTemplate(body, dialect);
  const hint = fields.get('argument-hint') || undefined;
  const name = fields.get('name');
  const description = fields.get('description');
  return {
    ...(name && { name }),
    ...(description && { description }),
    arguments: argumentsOf(parts, dialect, hint),
    parts,
    ignored: TOLD.filter((field) => fields.has(field)),
  };
}

function argumentsOf(
  parts: readonly Part[],
  dialect: Dialect,
  hint: string | undefined,
): PromptFileArgument[] {
  const inputs = new Map<string, string | undefined>();
  const numbers = new Set<number | undefined>();
  for (const part of parts) {
    if (typeof part === 'string') continue;
    if (part.kind === 'input') inputs.set(part.name, inputs.get(part.name) ?? part.placeholder);
    if (part.kind === 'position') numbers.add(part.number);
  }
  if (inputs.size > 0) return named([...inputs].map(([of, text]) => input(of, text)));
  if (numbers.size > 0 && !numbers.has(undefined)) return positional([...numbers].map(Number), hint);
  // These programs add what was typed to a prompt that does not mention it; VS Code does if the file has a hint.
  return numbers.size > 0 || hint || dialect !== 'vscode' ? [allWords(hint)] : [];
}

const input = (of: string, description: string | undefined): PromptFileArgument => ({
  ...{ name: of, of, required: true },
  ...(description && { description }),
});

const allWords = (hint: string | undefined): PromptFileArgument => ({
  ...{ name: 'arguments', required: /^\s*</.test(hint ?? '') },
  ...(hint && { description: hint }),
});

/** `$1`, `$2` with the names of the hint: `[pr-number] [priority]`. Newer commands count from `$0`. */
function positional(numbers: readonly number[], hint: string | undefined): PromptFileArgument[] {
  const hints = hint?.match(/[[<][^\]>]{1,100}[\]>]|[^\s[<]+/g) ?? [];
  const first = numbers.includes(0) ? 0 : 1;
  const sorted = [...numbers].sort((a, b) => a - b);
  return named(
    sorted.map((of) => {
      const text = hints[of - first];
      return {
        name: text ?? `arg${of}`,
        of,
        required: !text?.startsWith('['),
        ...(text && { description: text }),
      };
    }),
  );
}

/** Names as identifiers, with a number if one is taken. */
function named(all: readonly PromptFileArgument[]): PromptFileArgument[] {
  const taken = new Set<string>();
  return all.map((argument) => {
    const base =
      argument.name
        .replace(/[^\p{L}\p{N}]+/gu, '_')
        .replace(/^_+|_+$/g, '')
        .slice(0, 60) || 'argument';
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base}_${count}`;
    taken.add(name);
    return { ...argument, name };
  });
}

/** Splits words as a shell does: quotes keep spaces. */
export const wordsOf = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
