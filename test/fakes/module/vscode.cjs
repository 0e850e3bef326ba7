/**
 * The module `vscode` for what imports it at run time: the converters of `vscode-languageclient`, which extend these classes, and
 * the modules of ui/ that only put words together.
 */
const classes =
  'CallHierarchyItem CodeAction CodeLens CompletionItem Diagnostic DocumentLink InlayHint SnippetString SymbolInformation TypeHierarchyItem';
for (const name of classes.split(' ')) exports[name] = class {};
exports.CompletionItemTag = { Deprecated: 1 };
exports.SymbolKind = { TypeParameter: 25 };
exports.l10n = { t: (text, ...values) => text.replace(/\{(\d+)\}/g, (_, index) => values[index]) };
exports.env = { language: 'en' };
exports.workspace = {};
/** What the user is asked; a test sets it. */
exports.window = {};
exports.ConfigurationTarget = { Global: 1 };
exports.ProgressLocation = { Window: 10 };
exports.EventEmitter = class {
  event = () => ({ dispose() {} });
  fire() {}
  dispose() {}
};
exports.Disposable = { from: () => ({ dispose() {} }) };
