import type * as vscode from 'vscode';

interface Manifest {
  main?: string;
  browser?: string;
  isBuiltin?: boolean;
  activationEvents?: string[];
  contributes?: { languages?: { id: string }[] };
}

/**
 * The extensions that may check files of a language: they have code, and VS Code starts it for that language. It does so
 * for languages that an extension contributes too, but no built-in one checks such a language without naming it.
 * A linter that VS Code starts for everything is not among them: it is known by its first report.
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

/** VS Code's own servers look only at tabs, and do one thing after the other. */
const OWN_SERVERS = /^vscode\.(css|html|json|markdown)-language-features$/;

export const ownServersOf = (code: typeof vscode, languageId: string): readonly vscode.Extension<unknown>[] =>
  checkersOf(code, languageId).filter(({ id }) => OWN_SERVERS.test(id));

export const isBuiltIn = ({ packageJSON }: vscode.Extension<unknown>): boolean => packageJSON.isBuiltin;
