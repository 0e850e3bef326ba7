/** The tools, and the commands of VS Code that they ask. */
export interface Comparison {
  measure: string;
  path: string;
  /** Where it is asked: a text of the file, with `|` at the place. */
  at: string;
  tool: string;
  args: object;
  command: string;
  /** Arguments of the command after the document and the place; `alone`: it takes no place. */
  more?: readonly unknown[];
  alone?: boolean;
}

const UTIL = 'src/v4/core/util.ts';
const ABORTED = [UTIL, 'export function |aborted('] as const;

const compared = (
  what: string,
  command: string,
  [path, at]: readonly [path: string, at: string],
  tool: string,
  args: object,
  more: Pick<Comparison, 'more' | 'alone'> = {},
): Comparison => ({
  ...{ measure: `${what} (\`${tool}\`)`, command: `vscode.execute${command}Provider` },
  ...{ path, at, tool, args, ...more },
});

const SYMBOL = { symbol: 'aborted' };
const USED = ['src/v4/core/schemas.ts', 'let isAborted = util.|aborted(payload)'] as const;
const RENAMED = [UTIL, 'export function |prefixIssues('] as const;
const NAMES = { symbol: 'prefixIssues', newName: 'prefixed', dryRun: true };

export const COMPARISONS: readonly Comparison[] = [
  compared('references', 'Reference', ABORTED, 'find_references', SYMBOL),
  compared('definition', 'Definition', USED, 'find_definition', { line: 240, ...SYMBOL }),
  compared('hover', 'Hover', ABORTED, 'get_symbol', SYMBOL),
  compared('symbols', 'DocumentSymbol', ABORTED, 'list_symbols', {}, { alone: true }),
  compared('rename of 3 files, dry run', 'DocumentRename', RENAMED, 'rename_symbol', NAMES, {
    more: [NAMES.newName],
  }),
];
