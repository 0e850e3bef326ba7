import type * as vscode from 'vscode';
import { parsePromptFile } from '../../../core/promptFiles/promptFile.ts';
import { PromptSyntaxError } from '../../../core/promptFiles/syntaxError.ts';
import type { Dialect } from '../../../core/promptFiles/template.ts';
import type { Context } from '../../context.ts';
import type { PromptEntry } from '../promptSource.ts';
import { fileEntry } from './fileEntry.ts';
import type { Base } from './locateNamed.ts';
import { problemText } from './problemText.ts';
import { readToml } from './toml.ts';

/** A prompt file that was found. */
export interface FoundPrompt {
  uri: vscode.Uri;
  /** Its name if it gives none. */
  title: string;
  /** As the agent may read it. */
  text: string;
  dialect: Dialect;
  base: Base;
}

/** The prompt of a file; none if it cannot be read, which becomes a problem of the file. */
export function promptIn({ uri, title, text, dialect, base }: FoundPrompt, ctx: Context): PromptEntry[] {
  try {
    const file = parsePromptFile(text, dialect, dialect === 'gemini' ? readToml : undefined);
    ctx.promptProblems.set(uri, text, []);
    return [{ ...fileEntry(file, title, base, ctx), file: uri }];
  } catch (error) {
    if (!(error instanceof PromptSyntaxError)) throw error;
    const { length = 0 } = /^[^\r\n]*/.exec(text.slice(error.offset))?.[0] ?? '';
    const message = problemText(error.problem, ctx);
    ctx.promptProblems.set(uri, text, [{ message, offset: error.offset, length }]);
    return [];
  }
}
