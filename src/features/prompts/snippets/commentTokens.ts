import { parse } from 'jsonc-parser';
import { fieldsOf, itemsOf } from '../../../core/json.ts';
import type { Context } from '../../context.ts';

export interface CommentTokens {
  /** `//` */
  line?: string;
  /** What begins and ends a comment of several lines. */
  block?: readonly [start: string, end: string];
}

/** How comments are written in a language, from the language configuration of an extension: VS Code's API does not say it. */
export async function commentTokens(
  languageId: string,
  { editorFiles, vscode: { extensions, Uri } }: Context,
): Promise<CommentTokens> {
  const files = extensions.all.flatMap(({ extensionUri, packageJSON }) =>
    itemsOf(fieldsOf(fieldsOf(packageJSON).contributes).languages)
      .map(fieldsOf)
      .filter(({ id, configuration }) => id === languageId && typeof configuration === 'string')
      .map(({ configuration }) => Uri.joinPath(extensionUri, `${configuration}`)),
  );
  const texts = await Promise.all(files.map((file) => editorFiles.text(file)));
  return Object.assign({}, ...texts.map((text) => tokensIn(text ?? '')));
}

function tokensIn(text: string): CommentTokens {
  const { lineComment, blockComment } = fieldsOf(fieldsOf(parse(text)).comments);
  const line = typeof lineComment === 'string' ? lineComment : fieldsOf(lineComment).comment;
  const [start, end] = itemsOf(blockComment);
  return {
    ...(typeof line === 'string' && { line }),
    ...(typeof start === 'string' && typeof end === 'string' && { block: [start, end] as const }),
  };
}
