/** The module `vscode`, as the converters of `vscode-languageclient` load it: they extend these classes. */
const classes =
  'CallHierarchyItem CodeAction CodeLens CompletionItem Diagnostic DocumentLink InlayHint SnippetString SymbolInformation TypeHierarchyItem';
module.exports = {
  ...Object.fromEntries(classes.split(' ').map((name) => [name, class {}])),
  CompletionItemTag: { Deprecated: 1 },
  SymbolKind: { TypeParameter: 25 },
};
