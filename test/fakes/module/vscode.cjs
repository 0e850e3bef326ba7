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
exports.debug = {};
exports.extensions = {};
/** What the user is asked, and what VS Code is told to do; a test sets it. */
exports.window = { visibleTextEditors: [] };
exports.commands = {};
exports.ConfigurationTarget = { Global: 1 };
exports.WorkspaceEdit = require('../edits.ts').WorkspaceEdit;
exports.Range = require('../text.ts').Range;
exports.ProgressLocation = { Window: 10, Notification: 15 };
exports.EventEmitter = class extends require('../emitter.ts').Emitter {
  dispose() {}
};
exports.Disposable = class {
  static from(...all) {
    return new exports.Disposable(() => {
      for (const one of all) one.dispose();
    });
  }
  constructor(dispose) {
    this.dispose = dispose;
  }
};
exports.comments = {};
exports.CommentMode = { Editing: 0, Preview: 1 };
exports.CommentThreadState = { Unresolved: 0, Resolved: 1 };
exports.CommentThreadCollapsibleState = { Collapsed: 0, Expanded: 1 };
exports.UIKind = { Desktop: 1, Web: 2 };
exports.ThemeColor = class {};
exports.Uri = { joinPath: (...parts) => parts.join('/'), file: require('../values.ts').Uri.file };
exports.ViewColumn = { Active: -1, Beside: -2 };
exports.CancellationTokenSource = class {
  cancel() {}
  dispose() {}
};
