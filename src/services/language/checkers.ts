import type * as vscode from 'vscode';

/** The `source` of VS Code's TypeScript extension; its problems are requested, not waited for. */
export const TYPESCRIPT = 'ts';

/** Whether VS Code's TypeScript extension checks this language. */
export const isTypeScript = (languageId: string): boolean => /^(type|java)script(react)?$/.test(languageId);

interface Manifest {
  main?: string;
  browser?: string;
  isBuiltin?: boolean;
  activationEvents?: string[];
  contributes?: { languages?: { id: string }[] };
}

/**
 * The extensions that may check files of a language: they have code that VS Code starts for that language. VS Code also starts
 * an extension for languages it contributes, but no built-in extension checks these without an `onLanguage` event. Linters
 * started for all languages are not included; their first report reveals them.
 */
export const checkersOf = (
  { extensions }: typeof vscode,
  languageId: string,
): readonly vscode.Extension<unknown>[] =>
  extensions.all.filter(({ packageJSON }) => {
    const { main, browser, isBuiltin, activationEvents = [], contributes }: Manifest = packageJSON;
    if (!main && !browser) return false;
    const brings = !isBuiltin && contributes?.languages?.some(({ id }) => id === languageId);
    return brings || activationEvents.includes(`onLanguage:${languageId}`);
  });

/** VS Code's own servers check only files in tabs, and handle requests one after the other. */
const OWN_SERVERS = /^vscode\.(css|html|json|markdown)-language-features$/;

export const ownServersOf = (code: typeof vscode, languageId: string): readonly vscode.Extension<unknown>[] =>
  checkersOf(code, languageId).filter(({ id }) => OWN_SERVERS.test(id));

/** Settings that disable checks by VS Code's own servers, by language; `markdown.validate.enabled` is off by default. */
const OF_TYPESCRIPT = ['js/ts.validate.enabled', 'typescript.validate.enable'];
const OF_JAVASCRIPT = ['js/ts.validate.enabled', 'javascript.validate.enable'];
const SWITCHES: Record<string, readonly string[]> = {
  typescript: OF_TYPESCRIPT,
  typescriptreact: OF_TYPESCRIPT,
  javascript: OF_JAVASCRIPT,
  javascriptreact: OF_JAVASCRIPT,
  json: ['json.validate.enable'],
  jsonc: ['json.validate.enable'],
  css: ['css.validate'],
  scss: ['scss.validate'],
  less: ['less.validate'],
  markdown: ['markdown.validate.enabled'],
};

/** Whether settings disable checks of a document by VS Code's own server: it still reports, but an empty list. */
export function isSwitchedOff({ workspace }: typeof vscode, document: vscode.TextDocument): boolean {
  const settings = workspace.getConfiguration(undefined, document);
  return (SWITCHES[document.languageId] ?? []).some((name) => settings.get(name) === false);
}

export const isBuiltIn = ({ packageJSON }: vscode.Extension<unknown>): boolean => packageJSON.isBuiltin;
