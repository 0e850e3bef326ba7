import { fieldsOf, isObject } from '../../core/json.ts';
import type { ServedLanguage } from '../../core/lsp/door.ts';

/** Requests of LSP 3.17 that a window answers, with the capability of the server and of the client that belong to each. */
const FEATURES = [
  ['textDocument/definition', 'definitionProvider'],
  ['textDocument/declaration', 'declarationProvider'],
  ['textDocument/typeDefinition', 'typeDefinitionProvider'],
  ['textDocument/implementation', 'implementationProvider'],
  ['textDocument/references', 'referencesProvider'],
  ['textDocument/hover', 'hoverProvider'],
  ['textDocument/documentSymbol', 'documentSymbolProvider'],
  ['textDocument/documentHighlight', 'documentHighlightProvider'],
  ['textDocument/prepareCallHierarchy', 'callHierarchyProvider', 'callHierarchy'],
  ['textDocument/prepareTypeHierarchy', 'typeHierarchyProvider', 'typeHierarchy'],
  ['textDocument/rename', 'renameProvider'],
  ['textDocument/completion', 'completionProvider'],
  ['textDocument/signatureHelp', 'signatureHelpProvider'],
  ['textDocument/codeAction', 'codeActionProvider'],
  ['textDocument/formatting', 'documentFormattingProvider'],
  ['textDocument/rangeFormatting', 'documentRangeFormattingProvider'],
  ['textDocument/diagnostic', 'diagnosticProvider'],
] as const;

/** The requests that are answered. */
export const METHODS: readonly string[] = [
  ...FEATURES.map(([method]) => method),
  'textDocument/prepareRename',
  'callHierarchy/incomingCalls',
  'callHierarchy/outgoingCalls',
  'typeHierarchy/supertypes',
  'typeHierarchy/subtypes',
  'workspace/symbol',
];

const OPTIONS: Partial<Record<string, object>> = {
  'textDocument/completion': { triggerCharacters: ['.'] },
  'textDocument/signatureHelp': { triggerCharacters: ['(', ','] },
  'textDocument/diagnostic': { interFileDependencies: true, workspaceDiagnostics: false },
};

const FULL_TEXT = 1;

const capabilityOf = (client: object, method: string, name = method.replace(/^.*\//, '')) =>
  fieldsOf(fieldsOf(fieldsOf(client).textDocument)[name]);

const optionsOf = (client: object, method: string): object => ({
  ...OPTIONS[method],
  ...(method === 'textDocument/rename' &&
    capabilityOf(client, method).prepareSupport === true && { prepareProvider: true }),
});

/** Whether problems are pushed to a client. @param client its capabilities */
export const takesPushes = (client: object): boolean =>
  isObject(fieldsOf(fieldsOf(client).textDocument).publishDiagnostics);

/** One that has problems pushed and pulls them too has them twice: VS Code shows both, and opencode the union. */
const featuresFor = (client: object) =>
  FEATURES.filter(([method]) => method !== 'textDocument/diagnostic' || !takesPushes(client));

const isDynamic = (client: object, [method, , name]: (typeof FEATURES)[number]): boolean =>
  capabilityOf(client, method, name).dynamicRegistration === true;

/** What the server declares at the start: the rest is registered by languages, where the client takes that. @param client its capabilities */
export function capabilitiesFor(client: object) {
  const fixed = featuresFor(client).filter((feature) => !isDynamic(client, feature));
  return {
    positionEncoding: 'utf-16',
    textDocumentSync: { openClose: true, change: FULL_TEXT, save: { includeText: false } },
    workspaceSymbolProvider: true,
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    ...Object.fromEntries(fixed.map(([method, provider]) => [provider, optionsOf(client, method)])),
  };
}

interface Registration {
  id: string;
  method: string;
  registerOptions: object;
}

/** What is registered for the languages of a window. @param client its capabilities */
export function registrationsFor(client: object, languages: readonly ServedLanguage[]): Registration[] {
  const documentSelector = languages.map(({ id }) => ({ language: id }));
  const registered = featuresFor(client)
    .filter((feature) => isDynamic(client, feature))
    .map(([method]) => ({
      id: method,
      method,
      registerOptions: { documentSelector, ...optionsOf(client, method) },
    }));
  const watching = 'workspace/didChangeWatchedFiles';
  const { didChangeWatchedFiles } = fieldsOf(fieldsOf(client).workspace);
  if (fieldsOf(didChangeWatchedFiles).dynamicRegistration !== true || languages.length === 0)
    return registered;
  const endings = [...new Set(languages.flatMap(({ extensions }) => extensions))].map((one) => one.slice(1));
  const watchers = [{ globPattern: `**/*.{${endings}}` }];
  return [...registered, { id: watching, method: watching, registerOptions: { watchers } }];
}
