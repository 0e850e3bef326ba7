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
const SCHEMAS = 'src/v4/core/schemas.ts';
const ABORTED = { path: UTIL, at: 'export function |aborted(' };

export const COMPARISONS: readonly Comparison[] = [
  {
    measure: 'references (`find_references`)',
    ...ABORTED,
    tool: 'find_references',
    args: { symbol: 'aborted' },
    command: 'vscode.executeReferenceProvider',
  },
  {
    measure: 'definition (`find_definition`)',
    path: SCHEMAS,
    at: 'let isAborted = util.|aborted(payload)',
    tool: 'find_definition',
    args: { line: 240, symbol: 'aborted' },
    command: 'vscode.executeDefinitionProvider',
  },
  {
    measure: 'hover (`get_symbol`)',
    ...ABORTED,
    tool: 'get_symbol',
    args: { symbol: 'aborted' },
    command: 'vscode.executeHoverProvider',
  },
  {
    measure: 'symbols (`list_symbols`)',
    ...ABORTED,
    tool: 'list_symbols',
    args: {},
    command: 'vscode.executeDocumentSymbolProvider',
    alone: true,
  },
  {
    measure: 'rename of 3 files, dry run (`rename_symbol`)',
    path: UTIL,
    at: 'export function |prefixIssues(',
    tool: 'rename_symbol',
    args: { symbol: 'prefixIssues', newName: 'prefixed', dryRun: true },
    command: 'vscode.executeDocumentRenameProvider',
    more: ['prefixed'],
  },
];
