/** The edits of imports that a move needs, as VS Code makes them after the move: only TypeScript tells them. And those of its configurations. */
import type * as vscode from 'vscode';
import { ifUserError, throwIfCancelled, UserError } from '../../core/errors.ts';
import { counted } from '../../core/text/cut.ts';
import { EDITS_FOR_MOVE, isScript, type MoveArguments, TSSERVER_REQUEST } from '../../tsserver/commands.ts';
import { timeout, unlessAborted } from '../../util/clock.ts';
import { inParallel } from '../../util/queues.ts';
import { scriptIn } from '../../workspace/edit/operations/operate.ts';
import type { NewPath } from '../../workspace/edit/operations/operation.ts';
import type { TextRequest } from '../../workspace/edit/request.ts';
import type { Location } from '../../workspace/read/location.ts';
import { configEdits } from './configEdits.ts';
import { type FileCodeEdits, isConfig, keptEdits } from './keptImports.ts';
import { linesQuoting } from './namingLines.ts';
import { type ProviderEdits, textRequestOf } from './providerEdits.ts';
import type { LanguageScope } from './providers.ts';
import { loadProjects } from './symbols/projects.ts';

/** How long TypeScript may take, in milliseconds. */
const EDITS_TIMEOUT_MS = 15_000;
const AT_ONCE = 8;

const SETTING = 'updateImportsOnFileMove.enabled';
const UNKNOWN =
  'Imports may not be updated: TypeScript did not tell which change. Call get_diagnostics on the files that import it.';

const NOT_YET = 'Nothing was moved: TypeScript is still loading projects that may import it. Call again.';

interface ImportEdits {
  edits: TextRequest[];
  /** Why imports are not updated, for the agent. */
  notes: string[];
  /** The lines that change, as `path:line`. */
  changed: ReadonlySet<string>;
}

/** @throws UserError while TypeScript still loads what may import it, CancelledError */
export async function importEdits(
  from: Location,
  to: NewPath,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<ImportEdits> {
  const script = from.uri.scheme === 'file' ? await movedScript(from, scope, signal) : undefined;
  if (isSwitchedOff(script ?? from, scope)) {
    const note = `Imports are not updated: the user has set ${SETTING} to "never".`;
    return { edits: [], notes: script ? [note] : [], changed: new Set() };
  }
  const configs = await configEdits(from, to, scope, signal);
  const found = script ? await foundEdits(script, from, to, scope, signal) : [];
  if (!found) return editable(configs.files, 0, [UNKNOWN], scope);
  const { files, closed, notes } = await keptEdits(found, configs, { from, to }, scope, signal);
  return editable(files, closed, notes, scope);
}

/** What TypeScript tells; undefined if it does not. @throws UserError while it still loads, CancelledError */
async function foundEdits(
  script: Location,
  from: Location,
  to: NewPath,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<FileCodeEdits[] | undefined> {
  const document = await scope.files.loadDocument(script).catch(ifUserError(undefined));
  if (!document) return undefined;
  await scope.providers.start(document, signal);
  const { left } = await loadProjects(
    await linesQuoting(from, scope.files, signal),
    from.path,
    scope,
    signal,
  );
  if (left.length > 0) throw new UserError(NOT_YET);
  const limit = AbortSignal.any([signal, timeout(EDITS_TIMEOUT_MS)]);
  const found = await unlessAborted(askTypeScript(document, from, to, scope), limit);
  throwIfCancelled(signal);
  if (limit.aborted) throw new UserError(NOT_YET);
  return found;
}

/** The script that is moved, or one in the folder: of those that are ignored only if there is no other, as they are in no project. */
async function movedScript(location: Location, { files, vscode }: LanguageScope, signal: AbortSignal) {
  const { uri } = location;
  const entries = await files.edits.entries(location);
  for (const listed of (await files.list(signal)).from(`${uri}/`)) {
    if (!listed.key.startsWith(`${uri}/`)) break;
    if (isScript(listed.uri)) return files.permitted(listed.uri);
  }
  const found = scriptIn(vscode.Uri, uri, entries);
  return found && files.permitted(found);
}

/** The setting has an older name too. */
function isSwitchedOff({ path }: Location, { vscode: { workspace } }: LanguageScope): boolean {
  const own = /\.[cm]?jsx?$/.test(path) ? 'javascript' : 'typescript';
  const { globalValue, workspaceValue } = workspace.getConfiguration('js/ts').inspect<string>(SETTING) ?? {};
  return (workspaceValue ?? globalValue ?? workspace.getConfiguration(own).get<string>(SETTING)) === 'never';
}

/** Undefined if VS Code's extension is missing, or has another version. */
async function askTypeScript(
  { uri }: vscode.TextDocument,
  from: Location,
  to: NewPath,
  { vscode }: LanguageScope,
): Promise<FileCodeEdits[] | undefined> {
  const paths: MoveArguments = { oldFilePath: from.uri.fsPath, newFilePath: to.uri.fsPath };
  const asked = [TSSERVER_REQUEST, EDITS_FOR_MOVE, { file: uri, ...paths }] as const;
  const answer = vscode.commands.executeCommand<{ body?: FileCodeEdits[] } | undefined>(...asked);
  return (await Promise.resolve(answer).catch(() => undefined))?.body;
}

/** Without the files that cannot be edited. @param closed files that are left out already: the agent may not know them */
async function editable(
  found: readonly ProviderEdits[],
  closed: number,
  notes: string[],
  { files }: LanguageScope,
): Promise<ImportEdits> {
  const changed = new Set<string>();
  const sorted = found.toSorted((a, b) => (a.location.path < b.location.path ? -1 : 1));
  const edits = await inParallel(sorted, AT_ONCE, async (one) => {
    const { location } = one;
    const what = isConfig(location.path) ? 'paths' : 'imports';
    const edit = { ...textRequestOf(one, files), did: () => `${what} updated` };
    const reason = await files.edits.preview(edit).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (reason !== undefined) {
      notes.push(`Its ${what} are not updated: ${reason}`);
      return undefined;
    }
    for (const { range } of one.edits) changed.add(`${location.path}:${range.start.line + 1}`);
    return edit;
  });
  if (closed > 0)
    notes.push(
      `Imports in ${counted(closed, 'file')} outside the workspace or closed to you are not updated. Tell the user.`,
    );
  return { edits: edits.filter((one) => one !== undefined), notes, changed };
}
