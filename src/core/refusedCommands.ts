/**
 * VS Code's commands that agents may not execute, even with the user's approval. VS Code has 3,000, and more with each version: its own
 * are judged by the words of their ids.
 */

interface Refused {
  /** Why, as a part of a sentence. */
  why: string;
  /** Ids, whoever has the command. */
  ids?: RegExp;
  /** Ids of VS Code's own commands. Those of extensions are known to the user by title, and asked about. */
  own?: RegExp;
}

const REFUSED: readonly Refused[] = [
  { why: 'it is internal', ids: /^[^a-z~]/i },
  {
    why: 'lsp_request does that',
    ids: /^vscode\.(experimental\.)?(execute|prepare|provide|resolve)/i,
  },
  {
    why: 'it answers for the user',
    ids: /^workspaceMcp\.|^workbench\.\w+\.(extension\.)?workspaceMcp|^(notifications?|quick(Input|Pick)|list|tree)\./i,
    own: /accept|submit|confirm|reject|dismiss|quick(Input|Pick|Open)|refactorPreview|widgetNavigation|iconSelectBox|notification|menu|focusedView/i,
  },
  {
    why: 'it starts a chat, or changes what other agents may do',
    ids: /copilot|chat|^claude|^codex|^openai\./i,
    own: /agent|\bai|withAI|mcp|\blm\.|voice|inlineSuggest|inlineEdit|prompt|languageModel|askVScode|planReview|skill|instructions|triggerSetup|action\.edits\.|summarize|session/i,
  },
  {
    why: 'it runs programs, or other commands by their names; agents have tools that run programs',
    ids: /command(s$|Server)|(execute|run|send|multi)[-_.]?command|macro|remap|keystroke|send(sequence|text|keys)|terminal|debug|\btasks?\b|^npm\.|tsserverRequest|(run(?!ning)|exec)\w*cell|exec(in|selection)/i,
    own: /(^|\.)run|run(tests|all|active|selected|actions)|testRun|^testing\.|coverage|repl\b|^repl|interactive|execut|interrupt|dictation|codeAction|quickFix|sourceAction|action\.refactor|autoFix|fixAll|organizeImports|link/i,
  },
  {
    why: 'it signs in, or has to do with accounts',
    ids: /sign[-_]?(in|out|up)|log[-_]?(in|out)|auth|account|secret|token/i,
  },
  {
    why: 'it ends, hides or reconfigures the editor or its window',
    ids: /^setContext$|inNewWindow|reloadWindow|extensionHost|trust/i,
    own: /restart|reload|quit|exit|shutdown|close(?!\w*Editor)|window|folder|workspace(?!\.)|recent|fullScreen|zen|screencast|profile|setting|preference|keybinding|keyboard|keyMapping|configur|locale|\blog|logLevel|log(s|file)?(\.|$)|reset|userData|sync|telemetry|storage|policy|devTools|developer|confirmBefore|issue|reconnect|socket|^toggle\.|^remove|readonly|writeable|enablement|disable|^registerWindow|contextKey/i,
  },
  {
    why: 'it installs, removes or updates something',
    own: /install|extension|bisect|marketplace|plugin|^update|\.update/i,
  },
  {
    why: 'it types, or changes or reveals text behind the user; agents have tools for files, such as save_files',
    ids: /^(default:)?(type|paste|cut|undo|redo|tab|outdent|lineBreakInsert|replacePreviousChar|composition\w*|delete\w*|insertSnippet)$/i,
    own: /paste|snippet|revert|discard|restore|localHistory|replace(?!d)|undo|redo|rename|delete|trash|\bcut|save|getSearchResults|copy|clipboard|insert|newFile|newFolder|createF|move\w*File|encoding/i,
  },
  {
    why: 'it reaches the network',
    ids: /simpleBrowser|tunnel|^remote|browser|forwardedPorts/i,
    own: /url|survey|endpoint|download|upload|external|share|\bremote|openWalkthrough|request/i,
  },
];

/**
 * Why agents may not execute a command; undefined if they may, with the user's approval.
 *
 * @param isOwn it is VS Code's own, or nobody tells whose it is
 */
export function refusedCommand(id: string, isOwn: boolean): string | undefined {
  const judgedAsOwn = isOwn || /^(workbench|editor|vscode)\b/i.test(id);
  return REFUSED.find(({ ids, own }) => ids?.test(id) || (judgedAsOwn && own?.test(id)))?.why;
}
