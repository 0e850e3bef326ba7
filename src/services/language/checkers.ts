import type * as vscode from 'vscode';
import { clock, withDeadline } from '../../util/clock.ts';
import { oncePer } from '../../util/once.ts';
import { allTabs } from '../../util/tabs.ts';

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

type Checkers = readonly vscode.Extension<unknown>[];

/** By language: edits ask at each key, and VS Code makes new objects for all extensions each time. */
const knownIn = oncePer((extensions: typeof vscode.extensions) => {
  const known = new Map<string, Checkers>();
  extensions.onDidChange(() => known.clear()); // as long as the window
  return known;
});

/**
 * The extensions that may check files of a language: they have code that VS Code starts for that language. VS Code also starts
 * an extension for languages it contributes, but no built-in extension checks these without an `onLanguage` event. Linters
 * started for all languages are not included; their first report reveals them.
 */
export function checkersOf({ extensions }: typeof vscode, languageId: string): Checkers {
  const all = knownIn(extensions);
  const found = all.get(languageId) ?? extensions.all.filter((one) => checks(one.packageJSON, languageId));
  all.set(languageId, found);
  return found;
}

function checks(manifest: Manifest, languageId: string): boolean {
  const { main, browser, isBuiltin, activationEvents = [], contributes } = manifest;
  if (!main && !browser) return false;
  const brings = !isBuiltin && contributes?.languages?.some(({ id }) => id === languageId);
  return brings || activationEvents.includes(`onLanguage:${languageId}`);
}

/** VS Code's own servers check only files in tabs, and handle requests one after the other. */
const OWN_SERVERS = /^vscode\.(css|html|json|markdown)-language-features$/;

export const ownServersOf = (code: typeof vscode, languageId: string): Checkers =>
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

export const tabsOf = (code: typeof vscode, uri: vscode.Uri): vscode.Tab[] =>
  allTabs(code).filter(
    ({ input }) => (input as { uri?: vscode.Uri } | undefined)?.uri?.toString() === uri.toString(),
  );

/**
 * Opens a background tab, for language servers that check only files in tabs. The user's active editor does not change. The tab
 * is closed afterwards, unless the user has started to use it.
 */
export async function withBackgroundTab<T>(
  code: typeof vscode,
  uri: vscode.Uri,
  run: () => Promise<T>,
): Promise<T> {
  const options = { background: true, preserveFocus: true, preview: false };
  const hadNone = code.window.tabGroups.activeTabGroup.activeTab === undefined;
  await withDeadline(code.commands.executeCommand('vscode.open', uri, options), `opening ${uri.path}`);
  try {
    return await run();
  } finally {
    // In an empty group even a background tab becomes active. Otherwise, if it is active, the user selected it.
    const ours = tabsOf(code, uri).filter((tab) => !tab.isDirty && (hadNone || !tab.isActive));
    await withDeadline(code.window.tabGroups.close(ours, true), `closing ${uri.path}`).catch(() => {});
    await takeBackReports(code, uri);
  }
}

/**
 * Takes the problems that VS Code's TypeScript extension has reported of a file that no tab shows out of the user's list. It keeps
 * them, though the text changes, until VS Code unloads the text some minutes later. A text in another language is another one to it.
 */
export async function takeBackReports(code: typeof vscode, uri: vscode.Uri): Promise<void> {
  const document = hiddenDocument(code, uri);
  if (!document || !isTypeScript(document.languageId)) return;
  if (!code.languages.getDiagnostics(uri).some(({ source }) => source === TYPESCRIPT)) return;
  await reopen(code, document);
}

/** The loaded text of a file that no tab or diff shows. */
export function hiddenDocument(code: typeof vscode, uri: vscode.Uri): vscode.TextDocument | undefined {
  const document = code.workspace.textDocuments.find((one) => !one.isClosed && `${one.uri}` === `${uri}`);
  const isShown = code.window.visibleTextEditors.some((editor) => editor.document === document); // in a diff
  return isShown || tabsOf(code, uri).length > 0 ? undefined : document;
}

/** Has its server take a text for closed, and then for opened. @param closed is awaited between */
export async function reopen(
  { languages }: typeof vscode,
  document: vscode.TextDocument,
  closed: () => Promise<void> = async () => {},
): Promise<void> {
  const { languageId, uri } = document;
  const change = async () => {
    const other = await languages.setTextDocumentLanguage(document, 'plaintext');
    await closed();
    await languages.setTextDocumentLanguage(other, languageId);
  };
  await withDeadline(change(), `updating the problems of ${uri.path}`).catch(() => {});
}

/** How long after a check language servers may clear their reports, in milliseconds. */
const AFTERWARDS = 1_000;

/**
 * Files being checked for an agent. Their problems appear because of the check and disappear after it. If subscribers were
 * notified of that, they would check again, endlessly. So they are notified only if the final result differs.
 */
export class TemporaryLoads {
  readonly #printOf: (uri: vscode.Uri) => string;
  readonly #differs: (uri: vscode.Uri) => void;
  readonly #loads = new Map<string, { count: number; before: string; stay?(): void }>();

  /** @param printOf must be equal while the problems are equal */
  constructor(printOf: (uri: vscode.Uri) => string, differs: (uri: vscode.Uri) => void) {
    this.#printOf = printOf;
    this.#differs = differs;
  }

  has(uri: vscode.Uri): boolean {
    return this.#loads.has(uri.toString());
  }

  async whileLoaded<T>(uri: vscode.Uri, check: () => Promise<T>): Promise<T> {
    const key = uri.toString();
    const load = this.#loads.get(key) ?? { count: 0, before: this.#printOf(uri) };
    this.#loads.set(key, load);
    load.count++;
    load.stay?.();
    try {
      return await check();
    } finally {
      if (--load.count === 0) load.stay = clock.after(AFTERWARDS, () => this.#end(uri, load.before));
    }
  }

  dispose(): void {
    for (const load of this.#loads.values()) load.stay?.();
    this.#loads.clear();
  }

  #end(uri: vscode.Uri, before: string): void {
    this.#loads.delete(uri.toString());
    if (this.#printOf(uri) !== before) this.#differs(uri);
  }
}
