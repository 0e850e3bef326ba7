import { isAbsolute, resolve } from 'node:path';
import type * as vscode from 'vscode';
import type { Closed, Guard, Guarded, Off } from '../access/accessRules.ts';
import { type AccessSettings, type Level, levelsOf, type Operation } from '../access/accessSettings.ts';
import { agentPolicy } from '../access/policy.ts';
import { AccessInputs, isUnnamed, type ProgramFiles, policyPath, withHome } from '../access/policyInputs.ts';
import { withLf } from '../core/text/replacements.ts';
import { restricting } from '../core/toolSettings.ts';
import { namesIn } from './list/children.ts';
import { Listing } from './list/listing.ts';
import { fileStat } from './read/diskFile.ts';
import { candidates } from './read/locate.ts';
import { locateUri, ofWorkspace, sameName } from './read/locateUri.ts';
import { AgentPlace, displayPath, isUri, type Locator, openDocument, slashed } from './read/location.ts';
import { type FileContent, readContent } from './read/readContent.ts';

interface Asked extends Locator {
  uri: vscode.Uri;
}

/**
 * Asks the judge that agents meet, without any agent's roots.
 *
 * @param editorData directories in which VS Code keeps its own
 * @param place a path is meant as agents mean it
 * @param programs the files that hosted servers run
 */
export async function explainAccess(
  code: typeof vscode,
  editorData: readonly string[],
  of: vscode.Uri | string,
  programs?: ProgramFiles,
): Promise<Explanation> {
  const inputs = new AccessInputs(code, editorData, undefined, programs);
  try {
    const uri = typeof of === 'string' ? await uriMeantBy(code, of) : of;
    const roots = { paths: undefined };
    const [policy, place] = [agentPolicy(inputs, roots), new AgentPlace(inputs, roots)];
    return await explained({ vscode: code, inputs, policy, place, uri });
  } finally {
    inputs.dispose();
  }
}

/** What is there comes before what might be meant. */
async function uriMeantBy(code: typeof vscode, text: string): Promise<vscode.Uri> {
  const path = withHome(text);
  if (isUri(path)) return code.Uri.parse(path).with({ fragment: '' });
  if (isAbsolute(path)) return code.Uri.file(resolve(path));
  const folders = code.workspace.workspaceFolders ?? [];
  const all = [...candidates(folders, slashed(path).replace(/^\.\/+/, ''))].flat();
  const uris = all.map(({ folder, inside }) => code.Uri.joinPath(folder, inside));
  for (const uri of uris) if (await fileStat(code, uri)) return uri;
  return uris[0] ?? code.Uri.file(resolve(path));
}

async function explained(asked: Asked): Promise<Explanation> {
  const { vscode, inputs, policy, uri } = asked;
  const path = policyPath(uri);
  const { realPath } = uri.scheme === 'file' ? await inputs.resolve(path) : { realPath: path };
  // A text that has no file yet lies nowhere.
  const reason = isUnnamed(uri) ? undefined : (policy.closedAsNamed(path) ?? policy.closedAsReal(realPath));
  const stat = await fileStat(vscode, uri);
  const isThere = stat !== undefined || openDocument(vscode, { uri }) !== undefined;
  const isLink = !sameName(ofWorkspace(asked, path), ofWorkspace(asked, realPath));
  const unlisted = reason || !isThere ? undefined : await unlistedBy(asked, isLink, stat?.isFolder);
  const [readOff, editOff] = [offIn(asked, 'read'), offIn(asked, 'edit')];
  const guard = reason ? undefined : await inputs.guardOf(policy, path, realPath, stat?.isFolder);
  const tooLarge = stat?.isFile && tooLargeBy(asked, stat.size, policy.maxFileSize(path, realPath));
  return {
    path: displayPath(asked, uri),
    ...(isLink && { target: realPath }),
    isMissing: !isThere,
    ...(reason && { closed: { reason, levels: levelsOfGlob(asked, reason) } }),
    ...(unlisted && { unlisted }),
    ...(!reason && !readOff && (await explainContent(asked))),
    ...(tooLarge && { tooLarge }),
    ...(readOff && { readOff }),
    ...(editOff && { editOff }),
    ...(guard && { guard: { ...guard, levels: levelsOfGlob(asked, guard.guarded) } }),
  };
}

async function unlistedBy({ vscode, uri }: Asked, isLink: boolean, isFolder = false) {
  if (isLink) return 'link';
  if (!vscode.workspace.getWorkspaceFolder(uri)) return undefined;
  if ((await new Listing(vscode).files()).holds(uri)) return undefined;
  return isFolder && (await namesIn(vscode, uri)).length === 0 ? 'empty' : 'ignored';
}

function levelsOfGlob({ vscode: { workspace } }: Asked, reason: Closed | Guarded): Level[] {
  if (reason.by !== 'deniedPaths' && reason.by !== 'guardedPaths') return [];
  const folder = workspace.workspaceFolders?.find(({ uri }) => policyPath(uri) === reason.folder?.path);
  const names = (value: unknown) => (restricting(value) ?? []).map(withHome).includes(reason.glob);
  return levelsOf(workspace, [folder?.uri], reason.by, names);
}

function tooLargeBy({ vscode: { workspace }, uri }: Asked, size: number, limit: number) {
  if (size <= limit) return undefined;
  const folder = workspace.getWorkspaceFolder(uri)?.uri;
  return {
    size,
    limit,
    levels: levelsOf(workspace, [folder], 'maxFileSize', (value) => Number(value) === limit),
  };
}

/** Any folder takes an operation away from the whole window. */
function offIn(asked: Asked, operation: Operation): Explanation['readOff'] {
  const by = asked.policy.offBy(operation);
  const lacks = (value: unknown) => !(restricting(value) ?? []).includes(operation);
  return by && { by, levels: by === 'trust' ? [] : levelsInAll(asked, 'allowedOperations', lacks) };
}

function levelsInAll(
  { vscode: { workspace } }: Asked,
  key: keyof AccessSettings,
  isMeant: (value: unknown) => boolean,
): Level[] {
  const folders = workspace.workspaceFolders?.map(({ uri }) => uri) ?? [];
  return levelsOf(workspace, [undefined, ...folders], key, isMeant);
}

/** What is in a file, as far as that decides what agents may do with it. If it cannot be read, others say why. */
async function explainContent(asked: Asked): Promise<Pick<Explanation, 'kind' | 'redaction'>> {
  const content = await locateUri(asked, asked.uri.toString())
    .then((location) => readContent(asked, location))
    .catch(() => undefined);
  const redaction = redactionOf(asked, content);
  const kind = content?.kind === 'text' ? undefined : content?.kind;
  return { ...(kind && { kind }), ...(redaction && { redaction }) };
}

/** The patterns of all folders count everywhere. */
function redactionOf(asked: Asked, content: FileContent | undefined): Explanation['redaction'] {
  const redaction = asked.inputs.redaction;
  if (redaction.isOff) return undefined;
  const levels = levelsInAll(asked, 'redact', () => true);
  if (redaction.broken) return { levels, broken: redaction.broken.reason };
  if (content?.kind !== 'text') return undefined;
  try {
    const places = redaction.of(asked.uri.path).spans(withLf(content.text)).length;
    return places > 0 ? { levels, places } : undefined;
  } catch (error) {
    return { levels, broken: (error as Error).message };
  }
}

/** What agents may do with one file or folder, and which rules forbid the rest. For the user alone. */
export interface Explanation {
  /** The path as agents read it. */
  path: string;
  /** The target, if links lead elsewhere. */
  target?: string;
  isMissing: boolean;
  closed?: { reason: Closed; levels: Level[] };
  /** Why lists and search leave out what is open. */
  unlisted?: 'link' | 'ignored' | 'empty';
  /** Set if it is not text that can be edited. */
  kind?: 'folder' | 'binary';
  /** Bytes, if there are more than agents may read. */
  tooLarge?: { size: number; limit: number; levels: Level[] };
  readOff?: { by: Off; levels: Level[] };
  editOff?: { by: Off; levels: Level[] };
  /** What is redacted, or why agents cannot read it at all. */
  redaction?: { levels: Level[] } & ({ places: number } | { broken: string });
  /** Why the user is asked about each edit. */
  guard?: Guard & { levels: Level[] };
}
