/** What TypeScript's server knows of its projects and their configurations. */
import type * as vscode from 'vscode';
import {
  CONFIG_ERRORS,
  type FilesArguments,
  NOT_LOADED,
  SEEN_AS_BUILT,
  type ServerDiagnostic,
  TSSERVER_REQUEST,
  UNRESOLVED,
  type UnresolvedImport,
} from '../../tsserver/commands.ts';
import { clock, within } from '../../util/clock.ts';
import { oncePer } from '../../util/once.ts';
import { toDiagnostic } from './tsDiagnostics.ts';

/** How long the server may take to read its projects again, in milliseconds. Later answers wait for it too. */
const RELOADING = 10_000;

/** Whether a path is that of a configuration of TypeScript, such as `tsconfig.test.json`. */
export const isConfiguration = (path: string): boolean =>
  /(^|\/)([^/]+\.)?[tj]sconfig[^/]*\.json$/.test(path);

/** When a server that has not noticed a change of the disk seems never to do so, in milliseconds: a script was deleted and came back. */
export const STUCK = 2_100;
/** How long what it says after it has read its projects again counts as final, in milliseconds. */
const FINAL = 30_000;

const reloads = oncePer((_: typeof vscode.extensions): { last?: Promise<void>; at: number } => ({
  at: Number.NEGATIVE_INFINITY,
}));

/** As `reloadProjects`, for a server that is stuck: once for all who wait, and not again at once. */
export async function reloadStuckProjects(code: typeof vscode): Promise<void> {
  const reload = reloads(code.extensions);
  if (clock.now() - reload.at > FINAL) Object.assign(reload, { at: clock.now(), last: reloadProjects(code) });
  await reload.last;
}

/**
 * Has the server read its projects again, once a configuration has changed: it notices changes of the disk some time later, and
 * reports errors of both states mixed until then. Never rejects.
 */
export async function reloadProjects({ commands, extensions }: typeof vscode): Promise<void> {
  if (!extensions.getExtension('vscode.typescript-language-features')?.isActive) return;
  const reload = async () => {
    await commands.executeCommand('typescript.reloadProjects');
    const none: FilesArguments = { files: [] };
    await commands.executeCommand(TSSERVER_REQUEST, NOT_LOADED, none); // is answered after it
  };
  await within(
    reload().catch(() => {}),
    RELOADING,
    undefined,
  );
}

/**
 * Which files see only what is built from another one (`lib/a.d.ts`), as far as the server has loaded them: what changes in the
 * source shows there after the next build. None without our plugin in the server.
 */
export async function seenAsBuilt<T extends { fsPath: string }>(
  { commands }: typeof vscode,
  { fsPath }: T,
  users: readonly T[],
): Promise<T[]> {
  if (users.length === 0) return [];
  const asked: FilesArguments = { files: [fsPath, ...users.map((one) => one.fsPath)] };
  const answer = commands.executeCommand<{ body?: string[] }>(TSSERVER_REQUEST, SEEN_AS_BUILT, asked);
  const found = await Promise.resolve(answer).catch(() => undefined);
  return users.filter((one) => found?.body?.includes(one.fsPath));
}

/** The imports of loaded files that lead to nothing; none without our plugin in the server. @param files absolute paths */
export async function unresolvedImports(
  { commands }: typeof vscode,
  files: string[],
): Promise<UnresolvedImport[]> {
  if (files.length === 0) return [];
  const asked: FilesArguments = { files };
  const answer = commands.executeCommand<{ body?: UnresolvedImport[] }>(TSSERVER_REQUEST, UNRESOLVED, asked);
  return (await Promise.resolve(answer).catch(() => undefined))?.body ?? [];
}

/** The errors of a configuration, as the disk has it; undefined without our plugin in the server. What VS Code shows may be older. */
export async function errorsOfConfiguration(
  code: typeof vscode,
  { fsPath }: vscode.Uri,
): Promise<vscode.Diagnostic[] | undefined> {
  const asked: FilesArguments = { files: [fsPath] };
  const answer = code.commands.executeCommand<{ body?: ServerDiagnostic[] }>(
    TSSERVER_REQUEST,
    CONFIG_ERRORS,
    asked,
  );
  const found = await Promise.resolve(answer).catch(() => undefined);
  return found?.body?.map((one) => toDiagnostic(code, one));
}
