import type * as vscode from 'vscode';
import { UserError } from '../../../core/errors.ts';
import { mostAlike } from '../../../core/symbolPaths.ts';
import type { Conversion } from '../../../lsp/conversions.ts';
import type { Wanted } from '../providerCommands.ts';
import type { Params } from './params.ts';

type Args = (params: Params, uri?: vscode.Uri) => unknown[];

/** How VS Code answers an LSP method. */
export interface Method {
  what: Wanted;
  /** The arguments of the command, all of them. */
  args: Args;
  as: Conversion;
  /** The one of the params that has the URI; by default `textDocument`. */
  about?: 'textDocument' | 'item' | 'workspace';
  /** For a command that takes an item of a hierarchy: what gives the item again, because VS Code's has a private id. */
  prepare?: Wanted;
  /** For semantic tokens, whose legend LSP's servers announce when they start. */
  legend?: Wanted;
}

const inFile: Args = (_params, uri) => [uri];
const at: Args = (params, uri) => [uri, params.position()];
const within: Args = (params, uri) => [uri, params.range()];
const atTrigger: Args = (params, uri) => [...at(params, uri), params.textIfAny('context.triggerCharacter')];
const limited: Args = (params, uri) => [uri, params.limit];
const noArgs: Args = () => [];

/** Completions that get their documentation: each costs a request. */
const MOST_DOCUMENTED = 10;

const completing: Args = (params, uri) => [...atTrigger(params, uri), MOST_DOCUMENTED];
const ofActions: Args = (params, uri) => [uri, params.selection(), params.onlyKind(), params.limit];
const ofColor: Args = (params, uri) => [params.color(), { uri, range: params.range() }];
const formatted: Args = (params, uri) => [uri, params.formatting()];
const formattedLines: Args = (params, uri) => [...within(params, uri), params.formatting()];
const typed: Args = (params, uri) => [...at(params, uri), params.text('ch'), params.formatting()];
const renamed: Args = (params, uri) => [...at(params, uri), params.text('newName')];
const selected: Args = (params, uri) => [uri, params.positions()];
const queried: Args = (params) => [params.text('query')];

const calls = { about: 'item', prepare: 'a call hierarchy', args: noArgs } as const;
const types = { about: 'item', prepare: 'a type hierarchy', args: noArgs, as: 'typeItems' } as const;

/** Every request of LSP 3.17 for which VS Code has a command. */
export const METHODS: Readonly<Record<string, Method>> = {
  'textDocument/hover': { what: 'hovers', args: at, as: 'hover' },
  'textDocument/definition': { what: 'definitions', args: at, as: 'locations' },
  'textDocument/declaration': { what: 'declarations', args: at, as: 'locations' },
  'textDocument/typeDefinition': { what: 'type definitions', args: at, as: 'locations' },
  'textDocument/implementation': { what: 'implementations', args: at, as: 'locations' },
  'textDocument/references': { what: 'references', args: at, as: 'locations' },
  'textDocument/documentHighlight': { what: 'highlights', args: at, as: 'highlights' },
  'textDocument/documentSymbol': { what: 'symbols', args: inFile, as: 'documentSymbols' },
  'textDocument/completion': { what: 'completions', args: completing, as: 'completions' },
  'textDocument/signatureHelp': { what: 'signature help', args: atTrigger, as: 'signatureHelp' },
  'textDocument/codeAction': { what: 'code actions', args: ofActions, as: 'codeActions' },
  'textDocument/codeLens': { what: 'code lenses', args: limited, as: 'codeLenses' },
  'textDocument/documentLink': { what: 'links', args: limited, as: 'links' },
  'textDocument/documentColor': { what: 'colors', args: inFile, as: 'colors' },
  'textDocument/colorPresentation': { what: 'color presentations', args: ofColor, as: 'colorPresentations' },
  'textDocument/formatting': { what: 'a formatted text', args: formatted, as: 'textEdits' },
  'textDocument/rangeFormatting': { what: 'formatted lines', args: formattedLines, as: 'textEdits' },
  'textDocument/onTypeFormatting': { what: 'text formatted while typing', args: typed, as: 'textEdits' },
  'textDocument/rename': { what: 'a rename', args: renamed, as: 'workspaceEdit' },
  'textDocument/prepareRename': { what: 'the range of a rename', args: at, as: 'renameRange' },
  'textDocument/foldingRange': { what: 'folding ranges', args: inFile, as: 'foldingRanges' },
  'textDocument/selectionRange': { what: 'selection ranges', args: selected, as: 'selectionRanges' },
  'textDocument/semanticTokens/full': {
    what: 'semantic tokens',
    args: inFile,
    as: 'semanticTokens',
    legend: 'the legend of semantic tokens',
  },
  'textDocument/semanticTokens/range': {
    what: 'semantic tokens of a range',
    args: within,
    as: 'semanticTokens',
    legend: 'the legend of semantic tokens of a range',
  },
  'textDocument/inlayHint': { what: 'inlay hints', args: within, as: 'inlayHints' },
  'textDocument/inlineValue': {
    what: 'inline values',
    args: (params, uri) => [
      ...within(params, uri),
      { frameId: params.number('context.frameId'), stoppedLocation: params.range('context.stoppedLocation') },
    ],
    as: 'inlineValues',
  },
  'textDocument/prepareCallHierarchy': { what: 'a call hierarchy', args: at, as: 'callItems' },
  'callHierarchy/incomingCalls': { what: 'callers', ...calls, as: 'incomingCalls' },
  'callHierarchy/outgoingCalls': { what: 'outgoing calls', ...calls, as: 'outgoingCalls' },
  'textDocument/prepareTypeHierarchy': { what: 'a type hierarchy', args: at, as: 'typeItems' },
  'typeHierarchy/supertypes': { what: 'supertypes', ...types },
  'typeHierarchy/subtypes': { what: 'subtypes', ...types },
  'workspace/symbol': {
    what: 'workspace symbols',
    args: queried,
    as: 'workspaceSymbols',
    about: 'workspace',
  },
};

/** @throws UserError if there is none, with the nearest */
export function methodNamed(name: string): Method {
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (method) return method;
  const all = Object.keys(METHODS);
  const near = mostAlike(all, name, (one) => one, 3);
  const hint = near.length > 0 ? ` Nearest: ${near.join(', ')}.` : '';
  throw new UserError(`VS Code has no command for the method "${name}".${hint} Methods: ${all.join(', ')}.`);
}
