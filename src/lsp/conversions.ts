import type * as vscode from 'vscode';
import type * as lsp from 'vscode-languageclient';
// The package exports converters only of a client that runs a server; this door alone makes them without one.
import { createConverter } from 'vscode-languageclient/$test/common/codeConverter';

const to = createConverter();

type Marked = string | vscode.MarkdownString | vscode.MarkedString;

const textOf = (marked: Marked): string =>
  typeof marked === 'string'
    ? marked
    : 'language' in marked
      ? `\`\`\`${marked.language}\n${marked.value}\n\`\`\``
      : marked.value;

const markup = (...all: Marked[]): lsp.MarkupContent => ({
  kind: 'markdown',
  value: all.map((one) => textOf(one).trim()).join('\n\n'),
});

function documentation(of: { documentation?: string | vscode.MarkdownString | undefined }) {
  const content = markup(of.documentation ?? '');
  return content.value ? { documentation: content } : {};
}

const list =
  <From, To>(one: (from: From) => To) =>
  (all: readonly From[] | undefined): To[] | null =>
    all?.map(one) ?? null;

const isLink = (found: vscode.Location | vscode.LocationLink): found is vscode.LocationLink =>
  'targetUri' in found;

function locationLink(link: vscode.LocationLink): lsp.LocationLink {
  const { targetUri, targetRange, targetSelectionRange = targetRange, originSelectionRange } = link;
  return {
    ...(originSelectionRange && { originSelectionRange: to.asRange(originSelectionRange) }),
    targetUri: to.asUri(targetUri),
    targetRange: to.asRange(targetRange),
    targetSelectionRange: to.asRange(targetSelectionRange),
  };
}

/** A list is either of links or of locations. */
function locations(found: readonly (vscode.Location | vscode.LocationLink)[] = []) {
  if (found.every(isLink)) return found.map(locationLink);
  return found.map((one) =>
    isLink(one)
      ? { uri: to.asUri(one.targetUri), range: to.asRange(one.targetSelectionRange ?? one.targetRange) }
      : to.asLocation(one),
  );
}

function hover(hovers: readonly vscode.Hover[] = []): lsp.Hover | null {
  if (hovers.length === 0) return null;
  const range = hovers.find((one) => one.range)?.range;
  const contents = markup(...hovers.flatMap((one) => one.contents));
  return { contents, ...(range && { range: to.asRange(range) }) };
}

const documentSymbol = (symbol: vscode.DocumentSymbol): lsp.DocumentSymbol => ({
  name: symbol.name,
  ...(symbol.detail && { detail: symbol.detail }),
  kind: to.asSymbolKind(symbol.kind),
  ...(symbol.tags && { tags: to.asSymbolTags(symbol.tags) }),
  range: to.asRange(symbol.range),
  selectionRange: to.asRange(symbol.selectionRange),
  ...(symbol.children?.length && { children: symbol.children.map(documentSymbol) }),
});

function completions({ isIncomplete = false, items }: vscode.CompletionList): lsp.CompletionList {
  const item = (one: vscode.CompletionItem) => {
    const label = typeof one.label === 'string' ? one.label : one.label.label;
    // With `fromEdit` the converter keeps the range. It does not know other documentation than its own.
    const { documentation: _, ...whole } = { ...one, insertText: one.insertText ?? label, fromEdit: true };
    return { ...to.asCompletionItem(whole, true), ...documentation(one) };
  };
  return { isIncomplete, items: items.map(item) };
}

const signature = (one: vscode.SignatureInformation): lsp.SignatureInformation => ({
  label: one.label,
  ...documentation(one),
  parameters: one.parameters.map((parameter) => ({ label: parameter.label, ...documentation(parameter) })),
  ...(one.activeParameter !== undefined && { activeParameter: one.activeParameter }),
});

const signatureHelp = (help?: vscode.SignatureHelp): lsp.SignatureHelp | null =>
  help ? { ...help, signatures: help.signatures.map(signature) } : null;

/** What is converted of an edit. */
export type EditEntries = Pick<vscode.WorkspaceEdit, 'entries'>;

const workspaceEdit = (edit: EditEntries): lsp.WorkspaceEdit => ({
  changes: Object.fromEntries(
    edit.entries().map(([uri, edits]) => [to.asUri(uri), edits.map(to.asTextEdit)]),
  ),
});

function codeAction(action: vscode.CodeAction | vscode.Command): lsp.CodeAction | lsp.Command {
  if (typeof action.command === 'string') return to.asCommand(action as vscode.Command);
  const { edit, ...others } = action as vscode.CodeAction;
  return { ...to.asCodeActionSync(others), ...(edit && { edit: workspaceEdit(edit) }) };
}

const selectionRange = ({ range, parent }: vscode.SelectionRange): lsp.SelectionRange => ({
  range: to.asRange(range),
  ...(parent && { parent: selectionRange(parent) }),
});

const FOLDS = [undefined, 'comment', 'imports', 'region'];

const foldingRange = ({ start, end, kind }: vscode.FoldingRange): lsp.FoldingRange => {
  const name = kind && FOLDS[kind];
  return { startLine: start, endLine: end, ...(name && { kind: name }) };
};

/** What VS Code's commands answer, as LSP's types. Conversions that `vscode-languageclient` has are its own. */
export const conversions = {
  hover,
  locations,
  completions,
  signatureHelp,
  workspaceEdit: (edit?: EditEntries) => (edit?.entries().length ? workspaceEdit(edit) : null),
  documentSymbols: list(documentSymbol),
  workspaceSymbols: list(to.asWorkspaceSymbol),
  highlights: list(({ range, kind = 0 }: vscode.DocumentHighlight) => ({
    range: to.asRange(range),
    kind: kind + 1, // starts at 1 in LSP
  })),
  codeActions: list(codeAction),
  codeLenses: list(to.asCodeLens),
  links: list(to.asDocumentLink),
  colors: list(({ range, color: { red, green, blue, alpha } }: vscode.ColorInformation) => ({
    range: to.asRange(range),
    color: { red, green, blue, alpha },
  })),
  colorPresentations: list(({ label, textEdit, additionalTextEdits }: vscode.ColorPresentation) => ({
    label,
    ...(textEdit && { textEdit: to.asTextEdit(textEdit) }),
    ...(additionalTextEdits && { additionalTextEdits: additionalTextEdits.map(to.asTextEdit) }),
  })),
  textEdits: list(to.asTextEdit),
  renameRange: (found?: { range: vscode.Range; placeholder: string }) =>
    found ? { range: to.asRange(found.range), placeholder: found.placeholder } : null,
  foldingRanges: list(foldingRange),
  selectionRanges: list(selectionRange),
  semanticTokens: (found: { tokens?: vscode.SemanticTokens; legend?: vscode.SemanticTokensLegend }) =>
    found.tokens ? { legend: found.legend, data: [...found.tokens.data] } : null,
  inlayHints: list(to.asInlayHint),
  inlineValues: list((value: vscode.InlineValue) => ({ ...value, range: to.asRange(value.range) })),
  callItems: list(to.asCallHierarchyItem),
  incomingCalls: list(({ from, fromRanges }: vscode.CallHierarchyIncomingCall) => ({
    from: to.asCallHierarchyItem(from),
    fromRanges: to.asRanges(fromRanges),
  })),
  outgoingCalls: list((call: vscode.CallHierarchyOutgoingCall) => ({
    to: to.asCallHierarchyItem(call.to),
    fromRanges: to.asRanges(call.fromRanges),
  })),
  typeItems: list(to.asTypeHierarchyItem),
};

export type Conversion = keyof typeof conversions;
