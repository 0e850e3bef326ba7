import type * as vscode from 'vscode';

/** The settings of the extension, without `workspaceMcp.`. Types, defaults and texts are in package.json; a value may be malformed. */
export const SETTINGS = [
  'access.allowedOperations',
  'access.allowedPaths',
  'access.deniedPaths',
  'access.guardedPaths',
  'access.maxFileSize',
  'access.redact',
  'approvals',
  'askInTerminal',
  'autoStart',
  'comments.gutter',
  'hooks.comments',
  'hooks.errorsAtEnd',
  'hooks.permission',
  'hooks.problems',
  'hooks.review',
  'hooks.selection',
  'hosting.editorTools',
  'hosting.enabled',
  'http.allowedOrigins',
  'http.enabled',
  'http.port',
  'notifyOutside',
  'notifyTurnEnd',
  'prompts.sources',
  'review.marks',
  'run.stopWithAgent',
  'servers',
  'tools.disabled',
  'tools.groups',
  'tools.profile',
] as const;

export type Setting = (typeof SETTINGS)[number];

type Workspace = Pick<typeof vscode.workspace, 'getConfiguration'>;
/** A folder, or null for what holds without one. Left out: the folder of the active editor. */
type Folder = vscode.Uri | null;

/** The value in effect, with the default of package.json. */
export const settingValue = <T>(workspace: Workspace, name: Setting, folder?: Folder): T | undefined =>
  workspace.getConfiguration('workspaceMcp', folder).get<T>(name);

/** The values of a setting by level, such as `globalValue`. */
export const settingLevels = <T>(
  workspace: Workspace,
  name: Setting,
  folder?: Folder,
): Partial<NonNullable<ReturnType<typeof inspected<T>>>> => inspected<T>(workspace, name, folder) ?? {};

const inspected = <T>(workspace: Workspace, name: Setting, folder?: Folder) =>
  workspace.getConfiguration('workspaceMcp', folder).inspect<T>(name);
