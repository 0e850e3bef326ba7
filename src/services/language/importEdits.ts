/** The edits of imports that a move needs, as VS Code makes them after the move. Only TypeScript tells them. */
import type * as vscode from 'vscode';
import { counted, throwIfCancelled } from '../../core/messages.ts';
import { EDITS_FOR_MOVE, isScript, type MoveArguments, TSSERVER_REQUEST } from '../../tsserver/commands.ts';
import { timeout, unlessAborted } from '../../util/clock.ts';
import { inParallel } from '../../util/turns.ts';
import type { FileEdit } from '../../workspace/edit/fileEdit.ts';
import { scriptIn } from '../../workspace/edit/operations/operate.ts';
import type { NewPath } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import { plannedEdit } from './providerEdits.ts';
import type { LanguageScope } from './providers.ts';
import { loadProjects } from './symbols/symbolFiles.ts';

/** How long TypeScript may take, in milliseconds. */
const PATIENCE = 15_000;
const AT_ONCE = 8;

const SETTING = 'updateImportsOnFileMove.enabled';
const UNKNOWN =
  'Imports may not be updated: TypeScript did not tell which change. Call get_diagnostics on the files that import it.';

/** As in tsserver's protocol: lines and offsets are 1-based. */
interface FileCodeEdits {
  fileName: string;
  textChanges: { start: Place; end: Place; newText: string }[];
}
interface Place {
  line: number;
  offset: number;
}

interface ImportEdits {
  edits: FileEdit[];
  /** Why imports are not updated, for the agent. */
  notes: string[];
}

export async function importEdits(
  from: Location,
  to: NewPath,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<ImportEdits> {
  const script = await movedScript(from, scope, signal);
  if (!script || from.uri.scheme !== 'file') return { edits: [], notes: [] };
  if (isSwitchedOff(script, scope))
    return { edits: [], notes: [`Imports are not updated: the user has set ${SETTING} to "never".`] };
  const limit = AbortSignal.any([signal, timeout(PATIENCE)]);
  const asking = askTypeScript(script, from, to, scope, limit).catch(() => undefined);
  const found = await unlessAborted(asking, limit);
  throwIfCancelled(signal);
  return found ? editable(found, scope) : { edits: [], notes: [UNKNOWN] };
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

/** @throws UserError if the server is not ready, CancelledError; what VS Code's extension throws */
async function askTypeScript(
  script: Location,
  from: Location,
  to: NewPath,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<FileCodeEdits[] | undefined> {
  const { files, providers, vscode } = scope;
  const document = await files.loadDocument(script);
  await providers.start(document, signal);
  await loadProjects(nameInImports(from), scope, signal);
  const paths: MoveArguments = { oldFilePath: from.uri.fsPath, newFilePath: to.uri.fsPath };
  const answer = await vscode.commands.executeCommand<{ body?: FileCodeEdits[] } | undefined>(
    TSSERVER_REQUEST,
    EDITS_FOR_MOVE,
    { file: document.uri, ...paths },
  );
  return answer?.body;
}

/** The last part of a path that imports it, such as `money` of `src/money.ts` and of `src/money/index.ts`. */
const nameInImports = ({ uri }: Location): string =>
  uri.path.replace(/(\/index)?(\.d)?\.\w+$/, '').replace(/^.*\//, '');

/** Without the files that the agent may not change, which are counted. */
async function editable(
  found: readonly FileCodeEdits[],
  { files, vscode }: LanguageScope,
): Promise<ImportEdits> {
  const notes: string[] = [];
  let closed = 0;
  const sorted = found.toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1));
  const edits = await inParallel(sorted, AT_ONCE, async ({ fileName, textChanges }) => {
    const location = await files.permitted(vscode.Uri.file(fileName));
    if (!location) closed++;
    if (!location) return undefined;
    const edit = plannedEdit({ location, edits: textChanges.map((one) => toEdit(one, vscode)) }, files);
    const { plan, plannedOn } = edit;
    const reason = await files.edits.preview(location, { plan, plannedOn }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (reason === undefined) return edit;
    notes.push(`Its imports are not updated: ${reason}`);
    return undefined;
  });
  if (closed > 0)
    notes.push(
      `Imports in ${counted(closed, 'file')} outside the workspace or closed to you are not updated. Tell the user.`,
    );
  return { edits: edits.filter((one) => one !== undefined), notes };
}

const toEdit = (
  { start, end, newText }: FileCodeEdits['textChanges'][number],
  { Range }: typeof vscode,
): vscode.TextEdit => ({
  range: new Range(start.line - 1, start.offset - 1, end.line - 1, end.offset - 1),
  newText,
});
