import { readFrontMatter } from './frontMatter.ts';
import { type Part, parseTemplate } from './template.ts';

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
  /** The name of the `${input:…}` that it stands for; undefined for text that goes to the end. */
  of?: string;
}

/** Fields that are used; all others are ignored, and some of these are worth telling. */
const TOLD = ['tools', 'model', 'mode', 'agent'];

/** @throws PromptSyntaxError */
export function parsePromptFile(text: string): PromptFile {
  const { fields, body } = readFrontMatter(text);
  const parts = parseTemplate(body);
  const name = fields.get('name');
  const description = fields.get('description');
  return {
    ...(name && { name }),
    ...(description && { description }),
    arguments: argumentsOf(parts, fields.get('argument-hint')),
    parts,
    ignored: TOLD.filter((field) => fields.has(field)),
  };
}

/** VS Code adds what was typed to a prompt that has no inputs; here only if the file has a hint. */
function argumentsOf(parts: readonly Part[], hint: string | undefined): PromptFileArgument[] {
  const inputs = new Map<string, string | undefined>();
  for (const part of parts)
    if (typeof part !== 'string' && part.kind === 'input')
      inputs.set(part.name, inputs.get(part.name) ?? part.placeholder);
  if (inputs.size > 0) return named(inputs);
  return hint ? [{ name: 'arguments', required: /^\s*</.test(hint), description: hint }] : [];
}

/** Names as identifiers, with a number if one is taken. */
function named(inputs: ReadonlyMap<string, string | undefined>): PromptFileArgument[] {
  const taken = new Set<string>();
  return [...inputs].map(([of, description]) => {
    const base =
      of
        .replace(/[^\p{L}\p{N}]+/gu, '_')
        .replace(/^_+|_+$/g, '')
        .slice(0, 60) || 'argument';
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base}_${count}`;
    taken.add(name);
    return { name, of, required: true, ...(description && { description }) };
  });
}
