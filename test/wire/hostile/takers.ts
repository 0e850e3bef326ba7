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

const EDITS = [{ oldText: SECRET, newText: 'overwritten' }];

const CELL_EDITS = [{ action: 'replace', cell: 1, source: 'overwritten' }];

const PATH_ALONE = [
  ...['apply_code_action', 'delete_path', 'format_file', 'list_code_actions', 'list_directory'],
  ...['list_symbols', 'read_file'],
];
const SYMBOL_TOOLS = ['find_calls', 'find_definition', 'find_references', 'find_types', 'get_symbol'];

const globs = (args: object) => ({
  include: (path: string) => ({ ...args, include: [withoutNul(path)] }),
  exclude: (path: string) => ({ ...args, exclude: [withoutNul(path)] }),
});

/**
 * How each argument of a tool that takes a path, a URI or a glob is given one, with the arguments that go with it. An argument
 * that is made of text and is neither here nor among the others fails the test: whoever adds one decides which it is.
 */
const PATHS: Record<string, Record<string, (path: string) => object>> = {
  ...Object.fromEntries(PATH_ALONE.map((name) => [name, { path: (path) => ({ path }) }])),
  apply_patch: {
    patch: (path) => ({ patch: `--- ${path}\n+++ ${path}\n@@\n-${SECRET}\n+overwritten\n` }),
    'patch that renames': (path) => ({
      patch: `*** Begin Patch\n*** Update File: ${path}\n*** Move to: moved.txt\n@@\n-${SECRET}\n+overwritten\n*** End Patch`,
    }),
    'patch that deletes': (path) => ({
      patch: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`,
    }),
  },
  edit_file: {
    path: (path) => ({ path, edits: EDITS }),
    'path of a dry run': (path) => ({ path, edits: EDITS, dryRun: true }),
  },
  propose_edit: { path: (path) => ({ path, edits: EDITS }) },
  edit_notebook: {
    path: (path) => ({ path, edits: CELL_EDITS }),
    'path of a dry run': (path) => ({ path, edits: CELL_EDITS, dryRun: true }),
  },
  // Most spellings are good names of new files in the folder: nobody is to be asked about those here.
  write_file: { path: (path) => ({ path, content: 'overwritten', overwrite: true, dryRun: true }) },
  create_directory: { path: (path) => ({ path, dryRun: true }) },
  move_path: {
    source: (source) => ({ source, destination: 'moved' }),
    destination: (destination) => ({ source: 'a.txt', destination, dryRun: true }),
  },
  copy_path: {
    source: (source) => ({ source, destination: 'copied' }),
    destination: (destination) => ({ source: 'a.txt', destination, dryRun: true }),
  },
  save_files: { paths: (path) => ({ paths: [path] }) },
  ...Object.fromEntries(SYMBOL_TOOLS.map((name) => [name, { path: (path) => ({ path, line: 1 }) }])),
  rename_symbol: { path: (path) => ({ path, line: 1, newName: 'overwritten' }) },
  replace_symbol: { path: (path) => ({ path, symbol: 'a', body: 'overwritten' }) },
  insert_at_symbol: { path: (path) => ({ path, symbol: 'a', position: 'after', body: 'overwritten' }) },
  delete_symbol: { path: (path) => ({ path, symbol: 'a' }) },
  lsp_request: {
    params: (uri) => ({ method: 'textDocument/documentSymbol', params: { textDocument: { uri } } }),
  },
  open_file: {
    path: (path) => ({ path }),
    'path with a line': (path) => ({ path, line: 1 }),
  },
  get_change_impact: { paths: (path) => ({ paths: [path, '../nowhere'] }) },
  get_diagnostics: { path: (path) => ({ path }), paths: (path) => ({ paths: [path, '../nowhere'] }) },
  find_files: { query: (query) => ({ query }), exclude: (path) => ({ query: 'a.txt', exclude: [path] }) },
  search_text: globs({ query: SECRET.slice(0, -1) }),
  replace_in_files: globs({ query: SECRET.slice(0, -1), replacement: 'overwritten', dryRun: false }),
  select_window: { window: (window) => ({ window }) },
};

/** Arguments that are text and no path. */
const OTHERS: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    SYMBOL_TOOLS.map((name) => [name, ['symbol', 'kind', 'direction', 'include', 'cursor']]),
  ),
  ask_user: ['message', 'choices'],
  list_symbols: ['query', 'kinds'],
  apply_patch: ['keepIf'],
  edit_file: ['edits', 'keepIf'],
  replace_in_files: ['query', 'replacement', 'keepIf'],
  edit_notebook: ['edits'],
  propose_edit: ['edits', 'newText', 'message'],
  write_file: ['content', 'keepIf'],
  rename_symbol: ['symbol', 'newName', 'keepIf'],
  list_code_actions: ['problem', 'kind'],
  apply_code_action: ['problem', 'kind', 'title', 'keepIf'],
  format_file: ['keepIf'],
  replace_symbol: ['symbol', 'body', 'keepIf'],
  insert_at_symbol: ['symbol', 'position', 'body', 'keepIf'],
  delete_symbol: ['symbol', 'keepIf'],
  lsp_request: ['method'],
  find_files: ['cursor'],
  get_diagnostics: ['severity'],
  list_directory: ['cursor'],
  search_text: ['query'],
};

/** A NUL is refused before it is looked at; what else is in the text is not to go untried. */
const withoutNul = (path: string): string => path.replaceAll('\0', '');

/** Arguments of tools that hold text somewhere and are in neither list. */
export const undecided = ({ tools }: Features): string[] =>
  tools.flatMap(({ name, input }) => {
    const { properties = {} } = z.toJSONSchema(input, { io: 'input' });
    const known = [...Object.keys(PATHS[name] ?? {}), ...(OTHERS[name] ?? [])];
    return Object.entries(properties)
      .filter(
        ([argument, schema]) => JSON.stringify(schema).includes('"string"') && !known.includes(argument),
      )
      .map(([argument]) => `${name}: ${argument}`);
  });

/** Everything that takes a path, by the table of features. */
export const takers = (features: Features): Taker[] => [
  ...features.tools.flatMap(({ name }) =>
    Object.entries(PATHS[name] ?? {}).map(([argument, args]) => ({
      name: `${name}: ${argument}`,
      method: 'tools/call',
      params: (path: string) => ({ name, arguments: args(path) }),
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
