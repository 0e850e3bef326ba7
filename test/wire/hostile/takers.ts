import type { ResourceTemplateType } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Features } from '../../../src/features/features.ts';
import { SECRET } from '../../unit/workspace/read/hostile/tree.ts';

/** One request that takes a path. */
export interface Taker {
  name: string;
  method: string;
  params(path: string): object;
}

/** Stands for the path. */
const P = '{a path}';
const EDITS = [{ oldText: SECRET, newText: 'overwritten' }];
const CELL_EDITS = [{ action: 'replace', cell: 1, source: 'overwritten' }];
const QUERY = SECRET.slice(0, -1);
const REPLACE = { query: QUERY, replacement: 'overwritten', dryRun: false };
const PATH_ALONE = [
  ...['apply_code_action', 'delete_path', 'format_file', 'list_directory'],
  ...['list_symbols', 'read_file'],
];
const SYMBOL_TOOLS = ['find_calls', 'find_definition', 'find_references', 'find_types', 'get_symbol'];

/**
 * How each argument of a tool that takes a path, a URI or a glob is given one, with the arguments that go with it. An argument
 * that is made of text and is neither here nor among the others fails the test: whoever adds one decides which it is.
 */
const PATHS: Record<string, object[]> = {
  ...Object.fromEntries(PATH_ALONE.map((name) => [name, [{ path: P }]])),
  ...Object.fromEntries(SYMBOL_TOOLS.map((name) => [name, [{ path: P, line: 1 }]])),
  apply_patch: [
    { patch: `--- ${P}\n+++ ${P}\n@@\n-${SECRET}\n+overwritten\n` },
    { patch: `*** Begin Patch\n*** Update File: ${P}\n*** Move to: m\n@@\n-${SECRET}\n+x\n*** End Patch` },
    { patch: `*** Begin Patch\n*** Delete File: ${P}\n*** End Patch` },
  ],
  edit_file: [true, false].map((dryRun) => ({ path: P, edits: EDITS, dryRun })),
  propose_edit: [{ path: P, edits: EDITS }],
  edit_notebook: [true, false].map((dryRun) => ({ path: P, edits: CELL_EDITS, dryRun })),
  // Most spellings are good names of new files in the folder: nobody is to be asked about those here.
  write_file: [
    { path: P, content: 'overwritten', overwrite: true, dryRun: true },
    { path: `${P}/`, dryRun: true },
  ],
  move_path: [
    { source: P, destination: 'moved' },
    { source: 'a.txt', destination: P, dryRun: true },
    { source: P, destination: 'copied', copy: true },
    { source: 'a.txt', destination: P, copy: true, dryRun: true },
  ],
  save_files: [{ paths: [P] }],
  rename_symbol: [{ path: P, line: 1, newName: 'overwritten' }],
  edit_symbol: [
    { action: 'replace', path: P, symbol: 'a', body: 'overwritten' },
    { action: 'insert_after', path: P, symbol: 'a', body: 'overwritten' },
    { action: 'delete', path: P, symbol: 'a' },
  ],
  lsp_request: [{ method: 'textDocument/documentSymbol', params: { textDocument: { uri: P } } }],
  open_file: [{ path: P }, { path: P, line: 1 }, { places: [{ path: P, line: 1, note: 'x' }] }],
  list_comments: [{ path: P }],
  add_comment: [{ path: P, line: 1, text: 'x' }],
  get_change_impact: [{ paths: [P, '../nowhere'] }],
  get_diagnostics: [{ path: P }, { paths: [P, '../nowhere'] }],
  find_files: [{ query: P }, { query: 'a.txt', exclude: [P] }],
  search_text: ['include', 'exclude'].map((globs) => ({ query: QUERY, [globs]: [P] })),
  replace_in_files: ['include', 'exclude'].map((globs) => ({ ...REPLACE, [globs]: [P] })),
  select_window: [{ window: P }],
  run_command: [{ command: 'true', cwd: P }],
  run_tests: [{ paths: [P] }],
  debug_start: [
    { path: P, wait: 0 },
    { path: 'src/a.ts', breakpoints: [{ path: P, line: 1 }], wait: 0 },
  ],
  debug_breakpoints: [{ path: P, line: 1 }],
  debug_control: [{ action: 'to_line', path: P, line: 1 }],
  execute_command: [{ command: 'editor.action.showReferences', arguments: [{ $uri: P }] }],
  get_settings: [{ query: 'editor.tabSize', path: P }],
  run_cells: [{ path: P }],
};

/** Arguments that are text and no path. */
const OTHERS: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    SYMBOL_TOOLS.map((name) => [name, ['symbol', 'kind', 'direction', 'include', 'cursor']]),
  ),
  ask_user: ['message', 'choices'],
  list_comments: ['cursor'],
  add_comment: ['text'],
  resolve_comment: ['answer'],
  list_symbols: ['query', 'kinds'],
  apply_patch: ['keepIf'],
  edit_file: ['edits', 'keepIf'],
  replace_in_files: ['query', 'replacement', 'keepIf'],
  edit_notebook: ['edits'],
  propose_edit: ['edits', 'newText', 'message'],
  write_file: ['content', 'keepIf'],
  rename_symbol: ['symbol', 'newName', 'keepIf'],
  apply_code_action: ['problem', 'kind', 'title', 'keepIf'],
  format_file: ['keepIf'],
  edit_symbol: ['action', 'symbol', 'body', 'keepIf'],
  lsp_request: ['method'],
  find_files: ['cursor'],
  get_diagnostics: ['severity', 'cursor'],
  list_directory: ['cursor'],
  search_text: ['query'],
  run_command: ['command', 'env', 'until'],
  debug_start: ['name', 'configuration'],
  debug_breakpoints: ['action', 'text', 'function', 'condition', 'hitCount', 'log', 'exceptions'],
  debug_control: ['action'],
  debug_evaluate: ['expression', 'value'],
  run_tests: ['name'],
  run_cells: ['ids'],
  run_task: ['task', 'folder', 'until'],
  list_tasks: ['query'],
  list_commands: ['query'],
  execute_command: ['command'],
  get_settings: ['query'],
  read_run: ['until'],
  send_to_run: ['text', 'key'],
};

/** The names of the arguments that are given the path. */
const takenBy = (args: object): string[] =>
  Object.entries(args).flatMap(([name, value]) => (JSON.stringify(value).includes(P) ? [name] : []));

/** A NUL in a glob is refused before it is looked at; what else is in the text is not to go untried. */
const given = (name: string, args: object, path: string): object => {
  const text = /^(search_text|replace_in_files)$/.test(name) ? path.replaceAll('\0', '') : path;
  return JSON.parse(JSON.stringify(args).replaceAll(P, () => JSON.stringify(text).slice(1, -1)));
};

/** Arguments of tools that hold text somewhere and are in neither list. */
export const undecided = ({ tools }: Features): string[] =>
  tools.flatMap(({ name, input }) => {
    const { properties = {} } = z.toJSONSchema(input, { io: 'input' });
    const known = [...(PATHS[name] ?? []).flatMap(takenBy), ...(OTHERS[name] ?? [])];
    return Object.entries(properties)
      .filter(([, schema]) => JSON.stringify(schema).includes('"string"'))
      .filter(([argument]) => !known.includes(argument))
      .map(([argument]) => `${name}: ${argument}`);
  });

/** Everything that takes a path, by the table of features. */
export const takers = (features: Features): Taker[] => [
  ...features.tools.flatMap(({ name }) =>
    (PATHS[name] ?? []).map((args) => ({
      name: `${name}: ${Object.keys(args)}`,
      method: 'tools/call',
      params: (path: string) => ({ name, arguments: given(name, args, path) }),
    })),
  ),
  ...['resources/read', 'resources/subscribe', 'resources/unsubscribe'].flatMap((method) => [
    { name: method, method, params: (path: string) => ({ uri: path }) },
    ...templates(features).map(({ uriTemplate }) => ({
      name: `${method}: ${uriTemplate}`,
      method,
      params: (path: string) => ({ uri: filled(uriTemplate, path) }),
    })),
  ]),
  ...templates(features).map(({ uriTemplate }) => ({
    name: `completion/complete: ${uriTemplate}`,
    method: 'completion/complete',
    params: (value: string) => ({
      ref: { type: 'ref/resource', uri: uriTemplate },
      argument: { name: /\{\+?(\w+)/.exec(uriTemplate)?.[1], value },
    }),
  })),
  {
    name: 'prompts/get: argument',
    method: 'prompts/get',
    params: (path) => ({ name: 'look', arguments: { path } }),
  },
  {
    name: 'completion/complete: prompt',
    method: 'completion/complete',
    params: (value) => ({ ref: { type: 'ref/prompt', name: 'look' }, argument: { name: 'path', value } }),
  },
];

const templates = ({ resources }: Features): ResourceTemplateType[] =>
  resources.flatMap((provider) => provider.templates).filter(({ uriTemplate }) => uriTemplate.includes('{'));

/** As an agent fills it in: `{+path}` keeps slashes. */
const filled = (template: string, path: string): string =>
  template.replace(/\{(\+?)\w+\}/g, (_, keeps) =>
    keeps ? encodeURI(path.toWellFormed()).replace(/^\/+/, '') : encodeURIComponent(path.toWellFormed()),
  );
