import { parse, TomlError } from 'smol-toml';
import { fieldsOf } from '../../../core/json.ts';
import type { FrontMatter } from '../../../core/promptFiles/frontMatter.ts';
import { PromptSyntaxError } from '../../../core/promptFiles/syntaxError.ts';

/** The texts at the top of a command of Gemini CLI, and its prompt. @throws PromptSyntaxError */
export function readToml(text: string): FrontMatter {
  const texts = Object.entries(parsed(text)).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  const fields = new Map(texts);
  const body = fields.get('prompt');
  if (body === undefined) throw new PromptSyntaxError('noPrompt', 0);
  return { fields, body };
}

function parsed(text: string) {
  try {
    return fieldsOf(parse(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const lines = text.split('\n').slice(0, error.line);
    const after = (lines.at(-1)?.length ?? 0) - error.column + 1;
    throw new PromptSyntaxError('toml', Math.max(0, lines.join('\n').length - after));
  }
}
