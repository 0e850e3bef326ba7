import { isAbsolute, resolve } from 'node:path';
import type * as vscode from 'vscode';
import { type Level, levelsOf } from '../access/accessSettings.ts';
import { configuresTools } from '../access/configurationFiles.ts';
import type { Operation } from '../access/operation.ts';
import { isUnnamed, policyPath, World, withHome } from '../access/policyInputs.ts';
import type { Closed } from '../access/refusals.ts';
import { comparable, isWithin } from '../core/paths.ts';
import { restricting } from '../core/restricting.ts';
import { resolveLinks } from '../disk/resolveLinks.ts';
import { withDeadline } from '../util/deadline.ts';
import { explainContent } from './explainContent.ts';
import type { Asked, Explanation } from './explanation.ts';
import { Listing } from './list/listing.ts';
import { displayPath, isUri, openDocument, slashed } from './read/displayPath.ts';
import { fileStat } from './read/fileStat.ts';
import { candidates } from './read/locate.ts';

/**
 * Asks the judge that agents meet, without any agent's roots.
 *
 * @param editorData directories in which VS Code keeps its own
 * @param place a path is meant as agents mean it
 */
export async function explainAccess(
  code: typeof vscode,
  editorData: readonly string[],
  place: vscode.Uri | string,
): Promise<Explanation> {
  const world = new World(code, editorData);
  try {
    const uri = typeof place === 'string' ? await uriMeantBy(code, place) : place;
    return await explained({ code, world, uri, policy: world.policy(() => undefined) });
  } finally {
    world.dispose();
  }
}

/** What is there comes before what might be meant. */
async function uriMeantBy(code: typeof vscode, text: string): Promise<vscode.Uri> {
  const path = withHome(text);
  if (isUri(path)) return code.Uri.parse(path).with({ fragment: '' });
  const folders = code.workspace.workspaceFolders ?? [];
  if (isAbsolute(path) || folders.length === 0) return code.Uri.file(resolve(path));
  const [first = code.Uri.file(path), ...others] = candidates(
    code,
    folders,
    slashed(path).replace(/^\.\/+/, ''),
  ).flat();
  for (const uri of [first, ...others]) if (await fileStat(code, uri)) return uri;
  return first;
}

async function explained(asked: Asked): Promise<Explanation> {
  const { code, world, policy, uri } = asked;
  const path = policyPath(uri);
  const resolved = uri.scheme === 'file' ? await resolveLinks(world.near, path) : { realPath: path };
  const { realPath } = resolved;
  const reason = closedBy(asked, path, realPath);
  const folder = code.workspace.getWorkspaceFolder(uri)?.uri;
  const stat = await fileStat(code, uri);
  const isThere = stat !== undefined || openDocument(code, { uri }) !== undefined;
  const size = stat?.isFile ? stat.size : 0;
  const limit = policy.maxFileSize(path, realPath);
  const isLink = !isNamedBy(world, path, realPath);
  const off = (operation: Operation) => offIn(asked, operation, folder);
  const [readOff, editOff] = [off('read'), off('edit')];
  const unlisted = reason || !isThere ? undefined : await unlistedBy(asked, isLink);
  return {
    path: displayPath({ vscode: code }, uri),
    ...(isLink && { target: realPath }),
    isMissing: !isThere,
    ...(folder && { folder }),
    ...(reason && { closed: { reason, levels: levelsOfDenial(asked, reason) } }),
    ...(unlisted && { unlisted }),
    ...(!reason && !readOff && (await explainContent(asked))),
    ...(size > limit && { tooLarge: { size, limit, levels: levelsOfSize(asked, folder, limit) } }),
    ...(readOff && { readOff }),
    ...(editOff && { editOff }),
    isGuarded: configuresTools(path) || configuresTools(realPath),
  };
}

/** A text that has no file yet lies nowhere. */
function closedBy({ policy, uri }: Asked, path: string, realPath: string): Closed | undefined {
  if (isUnnamed(uri)) return undefined;
  return policy.closedAsNamed(path) ?? policy.closedAsReal(realPath);
}

/** Whether no link is on the way but that by which a folder was opened. */
function isNamedBy(world: World, path: string, realPath: string): boolean {
  const { platform } = process;
  const linked = world.folders().find((one) => isWithin(path, one.path, platform));
  const real = linked ? linked.realPath + path.slice(linked.path.length) : path;
  return comparable(real, platform) === comparable(realPath, platform);
}

async function unlistedBy({ code, uri }: Asked, isLink: boolean): Promise<Explanation['unlisted']> {
  if (isLink) return 'link';
  if (!code.workspace.getWorkspaceFolder(uri)) return undefined;
  const key = uri.toString().replace(/\/$/, '');
  const files = await new Listing(code).files();
  if (files.has(key) || files.hasUnder(`${key}/`)) return undefined;
  const inside = await withDeadline(code.workspace.fs.readDirectory(uri), `listing ${uri.path}`).catch(
    () => undefined,
  );
  return inside?.length === 0 ? 'empty' : 'ignored';
}

function levelsOfDenial({ code }: Asked, reason: Closed): Level[] {
  if (reason.by !== 'deniedPaths') return [];
  const folder = code.workspace.workspaceFolders?.find(({ uri }) => policyPath(uri) === reason.folder?.path);
  const names = (value: unknown) => (restricting(value) ?? []).map(withHome).includes(reason.glob);
  return levelsOf(code.workspace, folder?.uri, 'deniedPaths', names);
}

const levelsOfSize = ({ code }: Asked, folder: vscode.Uri | undefined, limit: number): Level[] =>
  levelsOf(code.workspace, folder, 'maxFileSize', (value) => Number(value) === limit);

/** Any folder takes an operation away from the whole window. */
function offIn({ code, policy }: Asked, operation: Operation, folder: vscode.Uri | undefined) {
  const by = policy.offBy(operation);
  if (!by) return undefined;
  const lacks = (value: unknown) => !(restricting(value) ?? []).includes(operation);
  const folders = [folder, ...(code.workspace.workspaceFolders ?? []).map(({ uri }) => uri)];
  const levels = folders.flatMap((one) => levelsOf(code.workspace, one, 'allowedOperations', lacks));
  return { by, levels: by === 'trust' ? [] : [...new Set(levels)] };
}
